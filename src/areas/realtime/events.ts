import { z } from 'zod';
import type { channelRules } from './channels.ts';

interface EventDescription {
  summary: string;
  /** Keys of `channelRules`. */
  channels: readonly (keyof typeof channelRules)[];
  data: z.ZodType;
}

const time = z.iso.datetime();
const statusObject = (name: string) =>
  z
    .looseObject({ id: z.string(), name: z.string(), status: z.string() })
    .describe(`The same ${name} as in GET /api/status.`);
const incident = statusObject('incident');
const maintenance = statusObject('scheduled maintenance');
const jobEnd = z.object({
  job: z.string(),
  id: z.string(),
  attempt: z.int(),
  skipped: z
    .int()
    .describe(
      'Number of job events left out before this one, because at most 20 are sent per second.',
    ),
});
const statusEvent = (summary: string, data: z.ZodType) =>
  ({ summary, channels: ['status', 'status:'], data }) as const;

/** Every event that the service publishes. Source of the AsyncAPI document. */
export const events = {
  'component.updated': statusEvent(
    'A component of the status page changed.',
    statusObject('component'),
  ),
  'incident.created': statusEvent('An incident was created.', incident),
  'incident.updated': statusEvent('An incident was updated.', incident),
  'incident.resolved': statusEvent('An incident was resolved.', incident),
  'incident.deleted': statusEvent('An incident was deleted.', incident),
  'maintenance.scheduled': statusEvent('Maintenance was scheduled.', maintenance),
  'maintenance.started': statusEvent('Maintenance started.', maintenance),
  'maintenance.updated': statusEvent('Maintenance was updated.', maintenance),
  'maintenance.completed': statusEvent('Maintenance was completed.', maintenance),
  'maintenance.deleted': statusEvent('Maintenance was deleted.', maintenance),
  'event.ingested': {
    summary: 'An event for a site was stored. At high volume only a sample is sent.',
    channels: ['analytics:'],
    data: z.object({
      event: z.string().describe('Name of the event.'),
      hostname: z.string().nullable().describe('Host of the page.'),
      pathname: z.string().describe('Path of the page.'),
      timestamp: time,
      country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
      browser: z.string().nullable(),
      os: z.string().nullable(),
      device: z.string().nullable(),
      bot: z.boolean().describe('Whether the event came from a bot.'),
      skipped: z.int().describe('Number of events from the same 250 ms that were not sent.'),
    }),
  },
  'counters.tick': {
    summary:
      'Events stored by a replica since its last tick. Sent every second while there is activity.',
    channels: ['analytics:'],
    data: z.object({
      events: z.int(),
      pageviews: z.int(),
      ms: z.int().describe('Milliseconds since the last tick.'),
    }),
  },
  'visitors.active': {
    summary: 'Visitors in the last five minutes. Sent every five seconds while there is activity.',
    channels: ['analytics:'],
    data: z.object({ visitors: z.int().describe('Unique visitors.') }),
  },
  'session.revoked': {
    summary: 'Sessions of this user were ended early.',
    channels: ['svc:'],
    data: z.object({
      session_id: z.string().nullable().describe('Null if several sessions ended.'),
      count: z.int().describe('Number of ended sessions.'),
    }),
  },
  'device.updated': {
    summary: 'The state of a device changed.',
    channels: ['svc:', 'devices'],
    data: z.object({
      device_id: z.string(),
      user_id: z.string(),
      state: z.string(),
      name: z.string(),
      at: time,
    }),
  },
  'contact.received': {
    summary: 'A message from the contact form arrived in the inbox.',
    channels: ['contact'],
    data: z.object({ id: z.uuid() }),
  },
  'job.completed': { summary: 'A background job completed.', channels: ['jobs'], data: jobEnd },
  'job.failed': {
    summary: 'An attempt to run a background job failed.',
    channels: ['jobs'],
    data: jobEnd,
  },
  'test.message': {
    summary: 'A message sent to /realtime/test.',
    channels: ['test'],
    data: z.object({ method: z.string(), received: z.unknown() }),
  },
} as const satisfies Readonly<Record<string, EventDescription>>;

/** Returns the schema of an event in its envelope, the `data` of a publication. */
export const envelopeOf = (type: string, { summary, data }: EventDescription) =>
  z.object({ type: z.literal(type), id: z.uuid(), time, data }).describe(summary);
