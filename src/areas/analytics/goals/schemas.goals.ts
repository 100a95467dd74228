import { z } from 'zod';
import { PeriodQuery } from '../figures/periods/period-query.ts';
import { StoredStep, Name, reachable, stepShape } from './schemas.steps.ts';

const id = '01986b1f-4a02-7d35-9c1e-2f7b8a6d5e40';
const step = { kind: 'event' as const, value: 'purchase', filters: ['props.plan:is:pro'] };

export const CreateGoalBody = z
  .strictObject({ name: Name.describe('Unique within the site.'), ...stepShape })
  .refine(...reachable)
  .meta({ id: 'CreateAnalyticsGoal', examples: [{ name: 'Bought the big plan', ...step }] });
export type CreateGoalBody = z.output<typeof CreateGoalBody>;

export const GoalView = z
  .object({
    id: z.uuid(),
    site_id: z.string(),
    name: z.string(),
    ...StoredStep.shape,
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'AnalyticsGoal',
    description: 'The goal.',
    examples: [
      {
        id,
        site_id: 'example.com',
        name: 'Bought the big plan',
        ...step,
        created_at: '2026-05-04T09:30:00.000Z',
      },
    ],
  });
export type GoalView = z.output<typeof GoalView>;

export const GoalList = z
  .object({ data: z.array(GoalView).describe('Oldest first.') })
  .meta({ id: 'AnalyticsGoalList', description: 'The goals of the site.' });

export const GoalReportQuery = PeriodQuery.strict();

export const GoalReport = z
  .object({
    data: z
      .array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          ...StoredStep.shape,
          visitors: z.int().describe('Unique visitors who completed the goal.'),
          visits: z.int().describe('Visits with a conversion.'),
          events: z.int().describe('Number of conversions.'),
          conversion_rate: z
            .number()
            .nullable()
            .describe(
              'Visits with a conversion, as a percentage of all visits; null if there ' +
                'were no visits.',
            ),
          revenue: z
            .array(
              z.object({
                currency: z.string().describe('ISO 4217.'),
                amount: z.string().describe('A decimal number with four decimal places.'),
              }),
            )
            .describe('Revenue from the conversions, by currency.'),
        }),
      )
      .describe('All goals of the site, oldest first.'),
    visits: z.int().describe('Visits that started in the period.'),
  })
  .meta({
    id: 'AnalyticsGoalReport',
    description: 'Conversions and conversion rate of each goal.',
    examples: [
      {
        data: [
          {
            id,
            name: 'Bought the big plan',
            ...step,
            visitors: 38,
            visits: 41,
            events: 43,
            conversion_rate: 2.7,
            revenue: [{ currency: 'EUR', amount: '2107.0000' }],
          },
        ],
        visits: 1519,
      },
    ],
  });
export type GoalReport = z.output<typeof GoalReport>;
