import { z } from 'zod';
import {
  count,
  Counts,
  EventNameRow,
  PageRow,
  SeriesPoint,
  Totals,
  totalsExample,
  VisitRow,
} from '../store/schemas.figures.ts';
import { PeriodQuery } from './periods/period-query.ts';
import { intervals } from './periods/periods.ts';

export const DashboardQuery = PeriodQuery.extend({
  interval: z
    .enum(intervals)
    .optional()
    .describe('Interval of the series. Default: depends on the length of the period.'),
  compare: z
    .enum(['previous', 'year'])
    .optional()
    .describe('Compare with the previous period or the same period a year ago.'),
  goal: z
    .uuid()
    .optional()
    .describe(
      'The id of a goal of the site: adds `conversions` and `conversion_rate` to the totals, the ' +
        'series and the lists, except `events`. A visit converts if it reached the goal in the ' +
        'period, whichever of its events the filters select.',
    ),
  limit: z.coerce.number().int().min(1).max(1000).default(10).describe('Maximum rows per list.'),
}).strict();
export type DashboardQuery = z.output<typeof DashboardQuery>;

/** The query of the API, in which the site is optional. */
export const SitesDashboardQuery = DashboardQuery.extend({
  site_id: DashboardQuery.shape.site_id
    .optional()
    .describe('The site. Default: the only site, or all sites combined.'),
});
export type SitesDashboardQuery = z.output<typeof SitesDashboardQuery>;

const VisitRows = z.array(VisitRow);
const ratio = z.number().nullable().describe('Percent; null: nothing to compare with.');

const exampleVisitRows = (value: string) => [
  { value, visitors: 612, visits: 701, bounce_rate: 35.4 },
];
const dashboardExample = {
  site_id: 'example.com',
  period: {
    name: '7d',
    from: '2026-04-28T00:00:00.000Z',
    to: '2026-05-05T00:00:00.000Z',
    timezone: 'UTC',
    interval: 'day',
  },
  totals: totalsExample,
  compared: {
    from: '2026-04-21T00:00:00.000Z',
    to: '2026-04-28T00:00:00.000Z',
    totals: {
      visitors: 1170,
      visits: 1402,
      pageviews: 3980,
      events: 4371,
      bounce_rate: 39.5,
      visit_duration_mean: 90.1,
      visit_duration_median: 40,
      views_per_visit: 2.8,
    },
  },
  change: {
    visitors: 9.7,
    visits: 8.3,
    pageviews: 5.7,
    events: 5.9,
    bounce_rate: -3.3,
    visit_duration_mean: 4.9,
    visit_duration_median: 2.5,
    views_per_visit: 0,
  },
  series: [
    {
      start: '2026-05-04T00:00:00.000Z',
      visitors: 201,
      visits: 224,
      pageviews: 640,
      events: 702,
      bounce_rate: 37.9,
      visit_duration_mean: 96.2,
      views_per_visit: 2.9,
      partial: false,
    },
  ],
  visitors_now: 7,
  pending_events: 0,
  pages: [
    {
      value: '/pricing',
      visitors: 402,
      pageviews: 611,
      engaged_seconds: 21.4,
      scroll_depth: 63.5,
    },
  ],
  entry_pages: exampleVisitRows('/'),
  exit_pages: exampleVisitRows('/pricing'),
  referrers: exampleVisitRows('news.example.org'),
  sources: exampleVisitRows('Google'),
  channels: exampleVisitRows('Organic Search'),
  campaigns: [],
  countries: exampleVisitRows('DE'),
  browsers: exampleVisitRows('Firefox'),
  operating_systems: exampleVisitRows('macOS'),
  devices: exampleVisitRows('Desktop'),
  languages: exampleVisitRows('de'),
  events: [{ value: 'signup', visitors: 41, events: 43, conversion_rate: 2.7 }],
  left_out: { bot_events: 318, dropped: {} },
};

export const DashboardView = z
  .object({
    site_id: z.string(),
    period: z.object({
      name: z.string(),
      from: z.string(),
      to: z.string(),
      timezone: z.string().describe('IANA time zone.'),
      interval: z.enum(intervals).describe('Interval of the series.'),
    }),
    totals: Totals,
    compared: z
      .object({ from: z.string(), to: z.string(), totals: Totals })
      .nullable()
      .describe(
        'The comparison period. If the requested period is still running, it covers only ' +
          'the same elapsed time.',
      ),
    change: z
      .object({
        visitors: ratio,
        visits: ratio,
        pageviews: ratio,
        events: ratio,
        bounce_rate: ratio,
        visit_duration_mean: ratio,
        visit_duration_median: ratio,
        views_per_visit: ratio,
        conversions: ratio.optional(),
        conversion_rate: ratio.optional(),
      })
      .nullable()
      .describe('Change from the comparison period, in percent.'),
    series: z
      .array(
        z.object({
          start: z.string().describe('Start of the interval.'),
          ...SeriesPoint.shape,
          partial: z
            .boolean()
            .describe('The interval is still running or lies only partly in the period.'),
        }),
      )
      .describe('One point for each interval, without gaps.'),
    visitors_now: count.describe(
      'Unique visitors with an event in the last five minutes. Filters apply.',
    ),
    pending_events: count
      .nullable()
      .describe(
        'Events of all sites that are stored but not yet included in the figures; null ' +
          'while events from before a restart are being read.',
      ),
    pages: z.array(PageRow),
    entry_pages: VisitRows.describe('First pages of visits.'),
    exit_pages: VisitRows.describe('Last pages of visits.'),
    referrers: VisitRows.describe('Pages that link here.'),
    sources: VisitRows,
    channels: VisitRows.describe('Groups of sources.'),
    campaigns: VisitRows.describe('Values of `utm_campaign`.'),
    countries: VisitRows.describe('ISO 3166-1 alpha-2.'),
    browsers: VisitRows,
    operating_systems: VisitRows,
    devices: VisitRows,
    languages: VisitRows,
    events: z.array(EventNameRow),
    left_out: z.object({
      bot_events: count.describe(
        'Events from bots: stored, but excluded from the figures by default. Filters apply.',
      ),
      dropped: z
        .record(z.string(), count)
        .describe(
          'Events that were not stored, by reason, counted in whole hours. Filters do ' +
            'not apply.',
        ),
    }),
  })
  .meta({
    id: 'AnalyticsDashboard',
    examples: [dashboardExample],
  });
export type DashboardView = z.output<typeof DashboardView>;

/** Figures of one site, or of all sites combined. */
export const SitesDashboardView = z
  .object({
    ...DashboardView.shape,
    site_id: z
      .string()
      .nullable()
      .describe('null: all sites combined. A visitor to two sites counts twice.'),
    sites: z
      .array(
        z.object({
          site_id: z.string(),
          ...Counts.shape,
        }),
      )
      .describe('Totals for each site, most visitors first.'),
  })
  .meta({
    id: 'AnalyticsDashboardOfSites',
    description: 'Visitors, visits, views, engagement and breakdowns for the period.',
    examples: [
      {
        ...dashboardExample,
        sites: [
          { site_id: 'example.com', visitors: 1284, visits: 1519, pageviews: 4207, events: 4630 },
        ],
      },
    ],
  });
export type SitesDashboardView = z.output<typeof SitesDashboardView>;

export const SiteList = z
  .object({
    data: z.array(
      z.object({
        site_id: z.string(),
        created_at: z.string(),
        events: count,
        last_event_at: z.string().nullable(),
      }),
    ),
  })
  .meta({
    examples: [
      {
        data: [
          {
            site_id: 'example.com',
            created_at: '2026-05-04T09:30:00.000Z',
            events: 4630,
            last_event_at: '2026-05-04T10:15:00.000Z',
          },
        ],
      },
    ],
  });

export const PendingView = z
  .object({
    accepted_events: z
      .int()
      .describe('Events from all sites that this process has accepted since it started.'),
    pending_events: z
      .int()
      .nullable()
      .describe(
        'Accepted events not yet included in the figures; null while events from before ' +
          'this process started are still being read.',
      ),
  })
  .meta({
    id: 'AnalyticsPending',
    description:
      'Events accepted by this process, and how many are not yet included in the figures.',
    examples: [{ accepted_events: 24_000, pending_events: 0 }],
  });
