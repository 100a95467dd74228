import { z } from 'zod';
import type { Questioner } from '../../../platform/questioner.ts';
import type {
  DashboardQuery,
  DashboardView,
} from '../../../areas/analytics/figures/schemas.dashboard.ts';
import type { Tool } from '../offer.ts';
import { defineTool, reads, type ToolDeps } from './tool.ts';
import { dayMs } from '../../../lib/durations.ts';

/** What the analytics area does for these tools. */
export interface AnalyticsSource {
  sites: (
    by: Questioner,
  ) => Promise<
    { site_id: string; created_at: string; events: number; last_event_at: string | null }[]
  >;
  /** Throws a RequestValidationError for a period that is none, and `analytics.site_unknown`. */
  view: (query: DashboardQuery, by: Questioner) => Promise<DashboardView>;
}

const scope = 'analytics:read' as const;
const next = { 'analytics.site_unknown': 'Call list_sites for the sites there are.' };
const day = z.string().max(40).optional();

const period = {
  site_id: z.string().min(1).max(64).describe('From list_sites.'),
  period: z
    .enum(['today', 'yesterday', '24h', '7d', '30d', '90d', '12mo', 'custom'])
    .default('30d')
    .describe('Whole days up to today, in `timezone`; `24h`: the last 24 hours.'),
  from: day.describe('For `custom`: first day, YYYY-MM-DD.'),
  to: day.describe('For `custom`: last day, included.'),
  timezone: z.string().max(64).default('UTC').describe('IANA time zone in which days begin.'),
  filter: z
    .array(z.string().max(4000))
    .max(20)
    .optional()
    .describe(
      '`dimension:operator:value`, all must hold: "country:is:DE", "source:is:Google|Bing", "page:contains:/docs".',
    ),
};
const Period = z.object({
  name: z.string(),
  from: z.string(),
  to: z.string().describe('Excluded.'),
  timezone: z.string(),
});
const ratio = z.number().nullable();
const Totals = z.object({
  visitors: z.int(),
  visits: z.int(),
  pageviews: z.int(),
  events: z.int(),
  bounce_rate: ratio.describe('Per cent.'),
  visit_duration_mean: ratio.describe('Seconds.'),
  visit_duration_median: ratio,
  views_per_visit: ratio,
});

interface Asked {
  site_id: string;
  period: z.output<typeof period.period>;
  from?: string | undefined;
  to?: string | undefined;
  timezone: string;
  filter?: string[] | undefined;
}

/** The day `back` days before `now` in the time zone; a zone that is none is told of by the question itself. */
function dayIn(timezone: string, now: number, back: number): string {
  try {
    const today = new Intl.DateTimeFormat('en-CA', {
      timeZone: timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }).format(now);
    return new Date(Date.parse(`${today}T00:00:00Z`) - back * dayMs).toISOString().slice(0, 10);
  } catch {
    return new Date(now).toISOString().slice(0, 10);
  }
}

/** The tools' question in the words of the dashboard. */
function toQuery(
  { period: name, from, to, ...rest }: Asked,
  now: number,
): Omit<DashboardQuery, 'limit'> {
  if (name !== 'today' && name !== 'yesterday')
    return { ...rest, period: name, from, to, bots: false };
  const only = dayIn(rest.timezone, now, name === 'today' ? 0 : 1);
  return { ...rest, period: 'custom', from: only, to: only, bots: false };
}

/** Tools over the figures of sites, for whoever may read them. */
export function analyticsTools(
  { sites, view }: AnalyticsSource,
  { now, ...deps }: ToolDeps & { now: () => number },
): Tool[] {
  const periodOf = (asked: Asked, { period: { from, to, timezone } }: DashboardView) => ({
    name: asked.period,
    from,
    to,
    timezone,
  });
  return [
    defineTool(
      {
        name: 'list_sites',
        title: 'Sites with analytics',
        annotations: reads,
        scope,
        description:
          'The sites that there are figures of, with how many events each has. Other analytics tools take their `site_id`.',
        input: z.strictObject({}),
        output: z.object({
          sites: z.array(
            z.object({
              site_id: z.string(),
              created_at: z.string(),
              events: z.int(),
              last_event_at: z.string().nullable(),
            }),
          ),
        }),
        run: async (_none, { questioner }) => ({ sites: await sites(questioner) }),
      },
      deps,
    ),
    defineTool(
      {
        name: 'query_analytics',
        title: 'Figures of a site',
        annotations: reads,
        scope,
        next,
        description:
          'Totals of a site over a period, a series without gaps, and, with `compare`, the change in per cent. For lists of pages take top_pages; `breakdowns` gives the top values of other dimensions.',
        input: z.strictObject({
          ...period,
          interval: z
            .enum(['hour', 'day', 'week', 'month'])
            .optional()
            .describe('Step of the series.'),
          compare: z.enum(['previous', 'year']).optional(),
          breakdowns: z
            .array(
              z.enum([
                'sources',
                'referrers',
                'channels',
                'campaigns',
                'countries',
                'browsers',
                'operating_systems',
                'devices',
                'languages',
              ]),
            )
            .max(9)
            .default([]),
          limit: z.int().min(1).max(100).default(10).describe('Rows of each breakdown.'),
        }),
        output: z.object({
          site_id: z.string(),
          period: Period,
          totals: Totals,
          compared: z.object({ from: z.string(), to: z.string(), totals: Totals }).nullable(),
          change: z.record(z.string(), ratio).nullable().describe('Per cent.'),
          series: z.array(
            z.object({
              start: z.string(),
              visitors: z.int(),
              visits: z.int(),
              pageviews: z.int(),
              events: z.int(),
              partial: z.boolean().describe('Not over yet, or cut by the period.'),
            }),
          ),
          visitors_now: z.int().describe('In the last five minutes.'),
          breakdowns: z.record(
            z.string(),
            z.array(z.object({ value: z.string().nullable(), visitors: z.int(), visits: z.int() })),
          ),
        }),
        async run({ breakdowns, interval, compare, limit, ...asked }, { questioner }) {
          const found = await view(
            { ...toQuery(asked, now()), interval, compare, limit },
            questioner,
          );
          const { site_id, totals, compared, change, series, visitors_now } = found;
          return {
            site_id,
            period: periodOf(asked, found),
            totals,
            compared,
            change,
            series,
            visitors_now,
            breakdowns: Object.fromEntries(breakdowns.map((name) => [name, found[name]])),
          };
        },
      },
      deps,
    ),
    defineTool(
      {
        name: 'top_pages',
        title: 'Most read pages of a site',
        annotations: reads,
        scope,
        next,
        description:
          'The pages of a site by visitors over a period, most read first; also the pages on which visits begin and end.',
        input: z.strictObject({ ...period, limit: z.int().min(1).max(100).default(10) }),
        output: z.object({
          site_id: z.string(),
          period: Period,
          pages: z.array(
            z.object({
              page: z.string(),
              visitors: z.int(),
              pageviews: z.int(),
              engaged_seconds: ratio.describe('Mean of a view.'),
              scroll_depth: ratio.describe('Per cent, mean over visits.'),
            }),
          ),
          entry_pages: z.array(z.object({ page: z.string().nullable(), visits: z.int() })),
          exit_pages: z.array(z.object({ page: z.string().nullable(), visits: z.int() })),
        }),
        async run({ limit, ...asked }, { questioner }) {
          const found = await view({ ...toQuery(asked, now()), limit }, questioner);
          const byVisit = (rows: DashboardView['entry_pages']) =>
            rows.map(({ value, visits }) => ({ page: value, visits }));
          const pages = found.pages.map(({ value, ...figures }) => ({ page: value, ...figures }));
          return {
            site_id: found.site_id,
            period: periodOf(asked, found),
            pages,
            entry_pages: byVisit(found.entry_pages),
            exit_pages: byVisit(found.exit_pages),
          };
        },
      },
      deps,
    ),
  ];
}
