import { z } from 'zod';
import { PeriodQuery } from './periods/period-query.ts';
import { TimeZone } from '../../../platform/validation/time-zone.ts';

export const retentionUnits = ['day', 'week', 'month'] as const;

export const RetentionQuery = PeriodQuery.pick({ site_id: true, filter: true, bots: true })
  .extend({
    unit: z
      .enum(retentionUnits)
      .default('week')
      .describe('Local days, weeks starting on Monday, or calendar months.'),
    cohorts: z.coerce
      .number()
      .int()
      .min(2)
      .max(24)
      .default(8)
      .describe('Number of units, including the current one.'),
    timezone: TimeZone.default('UTC').describe('IANA time zone in which days start and end.'),
  })
  .strict();
export type RetentionQuery = z.output<typeof RetentionQuery>;

export const RetentionView = z
  .object({
    site_id: z.string(),
    unit: z.enum(retentionUnits),
    timezone: z.string(),
    persons: z
      .literal('named')
      .describe(
        'Includes only identified visitors (`user_id`, `anonymous_id`). Others are not ' +
          'recognized across days.',
      ),
    cohorts: z
      .array(
        z.object({
          start: z.iso.datetime({ offset: true }).describe('Start of the unit.'),
          size: z.int().describe('Visitors whose first event was in this unit.'),
          visitors: z
            .array(z.int())
            .describe(
              'Number of visitors in the cohort who were active in each unit, from the ' +
                'cohort’s first unit to the current one.',
            ),
          partial: z
            .boolean()
            .describe(
              'The last entries of `visitors` and `returned` cover the current unit, ' +
                'which is not over yet.',
            ),
          returned: z
            .array(z.number().nullable())
            .describe('Percentage of the cohort, with one decimal; null for an empty cohort.'),
        }),
      )
      .describe('Oldest first.'),
  })
  .meta({
    id: 'AnalyticsRetention',
    description: 'Cohorts of identified visitors and how many return in each unit, oldest first.',
    examples: [
      {
        site_id: 'example.com',
        unit: 'week',
        timezone: 'Europe/Berlin',
        persons: 'named',
        cohorts: [
          {
            start: '2026-04-27T00:00:00.000+02:00',
            size: 38,
            visitors: [38, 16],
            partial: true,
            returned: [100, 42.1],
          },
          {
            start: '2026-05-04T00:00:00.000+02:00',
            size: 21,
            visitors: [21],
            partial: true,
            returned: [100],
          },
        ],
      },
    ],
  });
export type RetentionView = z.output<typeof RetentionView>;
