import { z } from 'zod';

export const count = z.int();
/** Null: nothing to measure. */
const measure = z.number().nullable();

export const totalsExample = {
  visitors: 1284,
  visits: 1519,
  pageviews: 4207,
  events: 4630,
  bounce_rate: 38.2,
  visit_duration_mean: 94.5,
  visit_duration_median: 41,
  views_per_visit: 2.8,
};

export const Counts = z.object({
  visitors: count,
  visits: count,
  pageviews: count,
  events: count,
});
export type Counts = z.output<typeof Counts>;

const goalCount = count.optional().describe('Visits that reached the `goal`. Only with `goal`.');
/** What a query with a goal adds to each row. */
const goalShape = {
  conversions: goalCount,
  conversion_rate: measure
    .optional()
    .describe('Percentage of the visits that reached the `goal`. Only with `goal`.'),
};

/** The figures of an interval. Rates and means are those of the visits that started in it. */
export const SeriesPoint = Counts.extend({
  bounce_rate: measure,
  visit_duration_mean: measure.describe('Seconds.'),
  views_per_visit: measure,
  conversions: goalCount,
});
export type SeriesPoint = z.output<typeof SeriesPoint>;

export const Totals = z
  .object({
    visitors: count.describe('Unique visitors with a visit that started in the period.'),
    visits: count.describe(
      'Visits that started in the period. A visit ends after 30 minutes without an event.',
    ),
    pageviews: count.describe('Page views.'),
    events: count.describe('All events, including page views.'),
    bounce_rate: measure.describe(
      'Percentage of visits with at most one page view and no other interactive event.',
    ),
    visit_duration_mean: measure.describe('Seconds from the first to the last event of a visit.'),
    visit_duration_median: measure.describe('Seconds.'),
    views_per_visit: measure.describe('Mean page views per visit.'),
    ...goalShape,
  })
  .meta({ id: 'AnalyticsTotals', examples: [totalsExample] });
export type Totals = z.output<typeof Totals>;

export const VisitRow = z.object({
  value: z.string().nullable().describe('null: unknown or direct.'),
  visitors: count,
  visits: count,
  bounce_rate: z
    .number()
    .describe('Percentage of visits with at most one page view and no other interactive event.'),
  ...goalShape,
});
export type VisitRow = z.output<typeof VisitRow>;

export const PageRow = z.object({
  value: z.string(),
  visitors: count,
  pageviews: count,
  engaged_seconds: measure.describe(
    'Mean visible time per page view, in seconds; null: not measured.',
  ),
  scroll_depth: measure.describe(
    'Mean scroll depth per visit, as a percentage of the page height; null: not measured.',
  ),
  conversions: count
    .optional()
    .describe('Visits that viewed this page and reached the `goal`. Only with `goal`.'),
  conversion_rate: measure
    .optional()
    .describe('Percentage of the visits that viewed this page. Only with `goal`.'),
});
export type PageRow = z.output<typeof PageRow>;

export const EventNameRow = z.object({
  value: z.string(),
  visitors: count,
  events: count,
  conversion_rate: measure.describe('Visits with this event, as a percentage of all visits.'),
});
export type EventNameRow = z.output<typeof EventNameRow>;
