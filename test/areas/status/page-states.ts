import type {
  ComponentState,
  ComponentStatus,
  DayState,
  IncidentState,
  StatusState,
  UpdateState,
} from '../../../src/areas/status/model.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/lib/durations.ts';

/** The time of the states. */
export const noon = Date.UTC(2026, 10, 22, 12, 0);

type Trouble = Omit<DayState, 'day'>;

/** The last 90 days, oldest first; `trouble` overrides days by their distance from today. */
export const daysWith = (trouble: (back: number) => Trouble | undefined): DayState[] =>
  Array.from({ length: 90 }, (_none, at) => ({
    day: new Date(noon - (89 - at) * dayMs).toISOString().slice(0, 10),
    ...(trouble(89 - at) ?? { worst: 'operational', ms: {} }),
  }));

/** Days of which nothing is known. */
export const unknownDays = (): DayState[] => daysWith(() => ({ worst: 'no_data', ms: {} }));

const responseTimes = (seed: number) =>
  Array.from({ length: 48 }, (_none, at) => ({
    at: noon - (47 - at) * hourMs,
    ms: 12 + seed + 8 * Math.abs(Math.sin(at / 4 + seed)) + (at === 30 ? 40 : 0),
  }));

export const component = (id: string, changes: Partial<ComponentState> = {}): ComponentState => ({
  id,
  name: id,
  description: null,
  group: null,
  position: 1,
  status: 'operational',
  onlyShowIfDegraded: false,
  createdAt: noon - 200 * dayMs,
  updatedAt: noon - dayMs,
  days: daysWith(() => undefined),
  uptime: 100,
  responseTimes: [],
  ...changes,
});

let made = 0;
const newId = () => `018f0000-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`;

export const update = (
  status: UpdateState['status'],
  body: string,
  at: number = noon,
): UpdateState => ({ id: newId(), status, body, createdAt: at, displayAt: at });

export const incident = (name: string, changes: Partial<IncidentState> = {}): IncidentState => ({
  id: newId(),
  kind: 'incident',
  name,
  status: 'investigating',
  impact: 'major',
  components: [],
  createdAt: noon - hourMs,
  updatedAt: noon - hourMs,
  resolvedAt: null,
  scheduledFor: null,
  scheduledUntil: null,
  updates: [update('investigating', 'We are looking into it.', noon - hourMs)],
  ...changes,
});

export const maintenance = (name: string, changes: Partial<IncidentState> = {}): IncidentState =>
  incident(name, {
    kind: 'maintenance',
    status: 'scheduled',
    impact: 'maintenance',
    scheduledFor: noon + dayMs,
    scheduledUntil: noon + dayMs + 2 * hourMs,
    updates: [update('scheduled', 'Sign-in may be slow for some minutes.', noon - hourMs)],
    ...changes,
  });

/** A resolved incident with two updates. */
export const pastIncident = (
  name: string,
  { from, to, ...changes }: { from: number; to: number } & Partial<IncidentState>,
  [resolved, investigating]: [resolved: string, investigating: string] = [
    'Well again.',
    'Looking.',
  ],
): IncidentState =>
  incident(name, {
    status: 'resolved',
    createdAt: from,
    updatedAt: to,
    resolvedAt: to,
    updates: [update('resolved', resolved, to), update('investigating', investigating, from)],
    ...changes,
  });

export const stateOf = (changes: Partial<StatusState> = {}): StatusState => ({
  indicator: 'none',
  description: 'All Systems Operational',
  components: [],
  incidents: [],
  maintenances: [],
  history: [],
  updatedAt: noon - 3 * minuteMs,
  checkedAt: noon,
  ...changes,
});

const parts: readonly (readonly [id: string, name: string, group: string])[] = [
  ['website', 'Website', 'For people'],
  ['sign-in', 'Sign-in', 'For people'],
  ['mail', 'Email delivery', 'For people'],
  ['api', 'HTTP API', 'For programs'],
  ['realtime', 'Realtime channels', 'For programs'],
  ['events', 'Event intake', 'For programs'],
  ['exports', 'Exports', 'For programs'],
  ['records', 'Records', 'Inside'],
  ['sessions', 'Sessions', 'Inside'],
  ['jobs', 'Background jobs', 'Inside'],
];
const componentsWith = (changes: (at: number) => Partial<ComponentState>): ComponentState[] =>
  parts.map(([id, name, group], at) =>
    component(id, { name, group, position: at + 1, ...changes(at) }),
  );

/** Ten operational components with 48 hours of response times, and one minor past problem. */
export function goodDay(): StatusState {
  const blip = (back: number): Trouble | undefined =>
    back === 9
      ? { worst: 'degraded_performance', ms: { degraded_performance: 25 * minuteMs } }
      : undefined;
  const from = noon - 9 * dayMs;
  return stateOf({
    components: componentsWith((at) => ({
      responseTimes: responseTimes(at),
      ...(at === 1 && {
        days: daysWith(blip),
        description: 'Codes by SMS and email, passkeys and sessions.',
      }),
    })),
    history: [
      pastIncident(
        'Codes by email came late',
        { from, to: from + 25 * minuteMs, impact: 'minor', components: ['sign-in'] },
        [
          'Codes arrive at once again. A mail server of our provider had been slow.',
          'Codes by email come some minutes late.',
        ],
      ),
    ],
  });
}

const worsts: readonly ComponentStatus[] = [
  'major_outage',
  'partial_outage',
  'degraded_performance',
  'under_maintenance',
];
const paragraph =
  'Requests of some customers fail with 503 since one of the stores was cut off from the ' +
  'rest. We have moved them to another one, and watch the error rate fall. ';

/**
 * Ten components with problems on each of 90 days, open incidents with long timelines, and a long
 * history.
 */
export function veryBadDay(): StatusState {
  const trouble =
    (seed: number) =>
    (back: number): Trouble => {
      const worst = worsts[(back * 7 + seed * 3) % 4] ?? 'major_outage';
      return {
        worst,
        ms: {
          [worst]: (((back * 13 + seed * 31) % 300) + 5) * minuteMs,
          degraded_performance: (((back * 17 + seed) % 90) + 1) * minuteMs,
        },
      };
    };
  const ids = parts.map(([id]) => id);
  const long = (name: string, at: number) =>
    incident(name, {
      status: 'identified',
      impact: at % 2 === 0 ? 'critical' : 'major',
      components: ids.slice(at, at + 4),
      createdAt: noon - (at + 5) * hourMs,
      updatedAt: noon - at * 10 * minuteMs,
      updates: Array.from({ length: 8 }, (_none, each) =>
        update(
          each < 4 ? 'identified' : 'investigating',
          `${paragraph.repeat(1 + (each % 2))}\n\n` +
            `The next update comes by ${20 - each}:30 UTC. Ticket ${at}-${each}.`,
          noon - at * 10 * minuteMs - each * 30 * minuteMs,
        ),
      ),
    });
  const begins = (at: number) => noon - (at + 1) * dayMs;
  return stateOf({
    indicator: 'critical',
    description: 'Major System Outage',
    components: componentsWith((at) => ({
      status: worsts[at % 4] ?? 'major_outage',
      uptime: 91.237 + at,
      days: daysWith(trouble(at)),
      responseTimes: responseTimes(at * 100),
      description: 'What people and programs see of it.',
    })),
    incidents: [
      'Requests fail',
      'Sign-in is slow',
      'Exports do not finish',
      'Messages of the realtime channels are lost',
      'Events are taken late',
    ].map(long),
    maintenances: [
      maintenance('Move to other machines', {
        status: 'in_progress',
        scheduledFor: noon - hourMs,
        scheduledUntil: noon + hourMs,
        components: ['records', 'jobs'],
      }),
      maintenance('New version of the record store', { components: ['records'] }),
    ],
    history: Array.from({ length: 40 }, (_none, at) =>
      pastIncident(
        `Outage number ${40 - at}`,
        {
          from: begins(at),
          to: begins(at) + 77 * minuteMs,
          components: ids.slice(at % 6, (at % 6) + 3),
        },
        [`${paragraph}All is well again since ${at % 24}:00.`, 'We look into it.'],
      ),
    ),
  });
}
