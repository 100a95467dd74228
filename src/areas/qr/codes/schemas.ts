import { z } from 'zod';
import { canonicalInstant } from '../../../lib/timestamps.ts';
import { idParams, TargetRule } from '../schemas.ts';
import { devices } from '../tables.ts';

export const CodeParams = idParams('QR code');

export const FormerTargetView = z
  .object({
    id: z
      .string()
      .describe('Increases with every change.')
      .meta({ examples: ['17'] }),
    url: z.string().meta({ examples: ['https://example.com/winter'] }),
    rules: z.array(TargetRule),
    replaced_at: z.iso.datetime(),
  })
  .meta({ id: 'QrFormerTarget', description: 'A target that a QR code had.' });
export type FormerTargetView = z.output<typeof FormerTargetView>;

export const FormerTargetsView = z
  .object({ data: z.array(FormerTargetView) })
  .meta({ id: 'QrFormerTargetList', description: 'The last hundred targets, newest first.' });

export const RestoreBody = z
  .strictObject({
    target_id: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional()
      .describe('The previous target to restore. Default: the most recent one.')
      .meta({ examples: ['17'] }),
  })
  .nullish()
  .meta({ id: 'RestoreQrTarget', examples: [{ target_id: '17' }] });

const count = z.int();
const day = z.string().max(40).overwrite(canonicalInstant).optional();

export const StatsQuery = z.strictObject({
  period: z
    .enum(['24h', '7d', '30d', '90d', '12mo', 'custom'])
    .default('30d')
    .describe('Whole local days up to and including today. `24h`: the last 24 hours.'),
  from: day
    .describe('For `custom`: first day (YYYY-MM-DD), or an instant (RFC 3339).')
    .meta({ examples: ['2026-05-01'] }),
  to: day
    .describe('For `custom`: last day, inclusive; or an instant, exclusive.')
    .meta({ examples: ['2026-05-05'] }),
  timezone: z
    .string()
    .max(64)
    .default('UTC')
    .describe('IANA time zone in which days start and end.')
    .meta({ examples: ['Europe/Berlin'] }),
  interval: z
    .enum(['hour', 'day', 'week', 'month'])
    .optional()
    .describe('Interval of the series. Default: depends on the length of the period.'),
  limit: z.coerce.number().int().min(1).max(1000).default(10).describe('Maximum rows per list.'),
});
export type StatsQuery = z.output<typeof StatsQuery>;

const Rows = z
  .array(z.object({ value: z.string().nullable(), people: count, visits: count }))
  .describe('Null: unknown.');

const RuleScans = z
  .array(
    z.object({
      rule: z
        .object({
          device: z.enum(devices).optional(),
          country: z.string().optional(),
          language: z.string().optional(),
        })
        .nullable()
        .describe('The conditions that held. Null: no rule applied.'),
      scans: count,
    }),
  )
  .describe('Scans by the rule that chose their target, while the code had rules.');

const row = (value: string) => [{ value, people: 61, visits: 70 }];

export const StatsView = z
  .object({
    site_id: z.string(),
    filter: z.string().describe('Selects the same scans in the dashboard and the export.'),
    period: z.object({
      from: z.string(),
      to: z.string(),
      timezone: z.string(),
      interval: z.enum(['hour', 'day', 'week', 'month']),
    }),
    scans: count,
    people: count.describe('People who scanned. Recognized within one UTC day.'),
    bots: count.describe('Opened by bots and link previews. Not in the other figures.'),
    series: z.array(z.object({ start: z.string(), scans: count, people: count })),
    countries: Rows,
    devices: Rows,
    operating_systems: Rows,
    browsers: Rows,
    languages: Rows,
    referrers: Rows,
    rules: RuleScans,
  })
  .meta({
    id: 'QrStats',
    description: 'Scans of a QR code in a period.',
    examples: [
      {
        site_id: 'example.com',
        filter: 'tag:is:spring',
        period: {
          from: '2026-05-01T00:00:00.000Z',
          to: '2026-05-03T00:00:00.000Z',
          timezone: 'UTC',
          interval: 'day',
        },
        scans: 84,
        people: 70,
        bots: 3,
        series: [{ start: '2026-05-01T00:00:00.000Z', scans: 84, people: 70 }],
        countries: row('DE'),
        devices: row('Mobile'),
        operating_systems: row('iOS'),
        browsers: row('Safari'),
        languages: row('de'),
        referrers: row('chat.example.com'),
        rules: [
          { rule: { device: 'ios' }, scans: 40 },
          { rule: null, scans: 44 },
        ],
      },
    ],
  });
export type StatsView = z.output<typeof StatsView>;
