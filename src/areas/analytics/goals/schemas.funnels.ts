import { z } from 'zod';
import { PeriodQuery } from '../figures/periods/period-query.ts';
import { StoredStep, Name, reachable, stepShape } from './schemas.steps.ts';

const id = '01986b1f-4a02-7d35-9c1e-2f7b8a6d5e41';
const exampleSteps = [
  { name: 'Prices', kind: 'page' as const, value: '/pricing', filters: [] },
  { name: 'Bought', kind: 'event' as const, value: 'purchase', filters: ['props.plan:is:pro'] },
];

const within = z
  .enum(['visit', 'visitor'])
  .default('visit')
  .describe(
    '`visit`: all steps in one visit. `visitor`: all steps by one visitor in the period, ' +
      'across visits. Needs `user_id` or `anonymous_id`, because visitors without either ' +
      'are recognized only within one UTC day.',
  );

const StepOfFunnel = z
  .strictObject({ name: Name.optional().describe('Default: the step’s `value`.'), ...stepShape })
  .refine(...reachable);

export const CreateFunnelBody = z
  .strictObject({
    name: Name.describe('Unique within the site.'),
    within,
    steps: z.array(StepOfFunnel).min(2).max(8).describe('Steps in order.'),
  })
  .meta({
    id: 'CreateAnalyticsFunnel',
    examples: [{ name: 'From prices to purchase', within: 'visit', steps: exampleSteps }],
  });
export type CreateFunnelBody = z.output<typeof CreateFunnelBody>;

const NamedStep = StoredStep.extend({ name: z.string() });

/** A funnel as stored. */
export const StoredFunnel = z.object({
  within: z.enum(['visit', 'visitor']),
  steps: z.array(NamedStep),
});

export const FunnelView = z
  .object({
    id: z.uuid(),
    site_id: z.string(),
    name: z.string(),
    ...StoredFunnel.shape,
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'AnalyticsFunnel',
    description: 'The funnel, with its steps.',
    examples: [
      {
        id,
        site_id: 'example.com',
        name: 'From prices to purchase',
        within: 'visit',
        steps: exampleSteps,
        created_at: '2026-05-04T09:30:00.000Z',
      },
    ],
  });
export type FunnelView = z.output<typeof FunnelView>;

export const FunnelList = z
  .object({ data: z.array(FunnelView).describe('Oldest first.') })
  .meta({ id: 'AnalyticsFunnelList', description: 'The funnels of the site, with their steps.' });

export const FunnelParams = z.object({ id: z.uuid().describe('The funnel.') });
export const FunnelReportQuery = PeriodQuery.omit({ site_id: true }).strict();
export type FunnelReportQuery = z.output<typeof FunnelReportQuery>;

const percent = z.number().nullable();

export const FunnelReport = z
  .object({
    id: z.uuid(),
    name: z.string(),
    within: z
      .enum(['visit', 'visitor'])
      .describe(
        '`visit`: all steps in one visit. `visitor`: all steps by one visitor, across ' +
          'visits. Anonymous visitors are recognized only within one UTC day.',
      ),
    steps: z.array(
      NamedStep.extend({
        entered: z.int().describe('Visits or visitors that completed this step.'),
        of_first: percent.describe(
          'Percentage of the visits or visitors at the first step; null if there were none.',
        ),
        of_previous: percent.describe(
          'Percentage of the previous step; null for the first step, or if the previous ' +
            'step has no visitors.',
        ),
        dropped: z
          .int()
          .describe('Visits or visitors lost since the previous step; 0 for the first step.'),
        median_seconds: z
          .number()
          .nullable()
          .describe(
            'Median time since the previous step; null for the first step, or if no ' +
              'visitor completed this step.',
          ),
      }),
    ),
    conversion_rate: percent.describe(
      'Percentage of visitors at the first step who reached the last; null if there were ' +
        'no visitors.',
    ),
  })
  .meta({
    id: 'AnalyticsFunnelReport',
    description: 'Visitors and conversion rate at each step of the funnel.',
    examples: [
      {
        id,
        name: 'From prices to purchase',
        within: 'visit',
        conversion_rate: 12.5,
        steps: [
          {
            name: 'Prices',
            kind: 'page',
            value: '/pricing',
            filters: [],
            entered: 328,
            of_first: 100,
            of_previous: null,
            dropped: 0,
            median_seconds: null,
          },
          {
            name: 'Bought',
            kind: 'event',
            value: 'purchase',
            filters: ['props.plan:is:pro'],
            entered: 41,
            of_first: 12.5,
            of_previous: 12.5,
            dropped: 287,
            median_seconds: 184.2,
          },
        ],
      },
    ],
  });
export type FunnelReport = z.output<typeof FunnelReport>;
