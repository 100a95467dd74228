import { z } from 'zod';
import {
  DashboardQuery,
  DashboardView,
  SiteList,
} from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { dayMs } from '../../../lib/durations.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import {
  RequestValidationError,
  valueError,
} from '../../../platform/validation/validation-error.ts';
import type { McpServices } from '../context.ts';
import { type CreateTool, defineTool, readOnly } from './tool.ts';

const scope = 'analytics:read';
const nextSteps = { 'analytics.site_unknown': 'Call list_sites for the existing sites.' };
const query = DashboardQuery.shape;

const Selection = z.strictObject({
  site_id: z.string().min(1).max(64).describe('From list_sites.'),
  period: z
    .enum(['today', 'yesterday', '24h', '7d', '30d', '90d', '12mo', 'custom'])
    .default('30d')
    .describe('Whole days up to today, in `timezone`; `24h`: the last 24 hours.'),
  from: query.from,
  to: query.to,
  timezone: query.timezone,
  filter: z
    .array(z.string().max(4000))
    .max(20)
    .optional()
    .describe(
      '`dimension:operator:value`, all must match: "country:is:DE", ' +
        '"source:is:Google|Bing", "page:contains:/docs".',
    ),
  limit: z.int().min(1).max(100).default(10),
});
/** The arguments that select figures. */
type Selection = z.output<typeof Selection> & Pick<DashboardQuery, 'interval' | 'compare'>;

const breakdowns = [
  'sources',
  'referrers',
  'channels',
  'campaigns',
  'countries',
  'browsers',
  'operating_systems',
  'devices',
  'languages',
] as const;

const { totals, compared, change, series, pages, period } = DashboardView.shape;
const Totals = z.object(totals.shape);
const Period = period.omit({ interval: true });
const Page = z.object({ page: z.string(), ...pages.element.omit({ value: true }).shape });
const VisitedPages = z.array(z.object({ page: z.string().nullable(), visits: z.int() }));

/** The date `back` days ago in the time zone. Unknown zones are refused later, with the query. */
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

/** The dashboard's query. Throws RequestValidationError. */
function toQuery({ period, ...args }: Selection, now: number): DashboardQuery {
  const isOneDay = period === 'today' || period === 'yesterday';
  const only = isOneDay ? dayIn(args.timezone, now, period === 'today' ? 0 : 1) : undefined;
  const { data, error } = DashboardQuery.safeParse({
    ...args,
    ...(isOneDay ? { period: 'custom', from: only, to: only } : { period }),
    bots: 'false',
  });
  if (data !== undefined) return data;
  throw new RequestValidationError(
    error.issues.map(({ path, message }) => valueError(['query', ...path.map(String)], message)),
  );
}

/** Reads the selected dashboard. The period is returned as it was named in the call. */
async function readDashboard(
  { dashboards, clock }: McpServices,
  args: Selection,
  requester: Requester,
) {
  const view = await dashboards.getDashboard(toQuery(args, clock.now()), requester);
  return { ...view, period: { ...view.period, name: args.period } };
}

const listSites = ({ dashboards }: McpServices): CreateTool =>
  defineTool({
    name: 'list_sites',
    title: 'List sites',
    annotations: readOnly,
    scope,
    description:
      'Lists the sites with their event counts. Pass a site’s `site_id` to the other ' +
      'analytics tools.',
    input: z.strictObject({}),
    output: z.object({ sites: SiteList.shape.data }),
    run: async (_args, { requester }) => ({ sites: await dashboards.sites(requester) }),
  });

const queryAnalytics = (services: McpServices): CreateTool =>
  defineTool({
    name: 'query_analytics',
    title: 'Query the analytics of a site',
    annotations: readOnly,
    scope,
    nextSteps,
    description:
      'Returns the totals for a site over a period, a time series without gaps and, with ' +
      '`compare`, the change in percent. `breakdowns` adds the top values of dimensions; ' +
      'for pages, use top_pages.',
    input: Selection.extend({
      interval: query.interval,
      compare: query.compare,
      breakdowns: z.array(z.enum(breakdowns)).max(breakdowns.length).default([]),
      limit: Selection.shape.limit.describe('Maximum rows per breakdown.'),
    }),
    output: z.object({
      site_id: z.string(),
      period: Period,
      totals: Totals,
      compared: compared.unwrap().extend({ totals: Totals }).nullable(),
      change,
      series,
      visitors_now: z.int().describe('In the last five minutes.'),
      breakdowns: z.record(
        z.string(),
        z.array(z.object({ value: z.string().nullable(), visitors: z.int(), visits: z.int() })),
      ),
    }),
    async run({ breakdowns: names, ...args }, { requester }) {
      const view = await readDashboard(services, args, requester);
      return { ...view, breakdowns: Object.fromEntries(names.map((name) => [name, view[name]])) };
    },
  });

const topPages = (services: McpServices): CreateTool =>
  defineTool({
    name: 'top_pages',
    title: 'Top pages of a site',
    annotations: readOnly,
    scope,
    nextSteps,
    description:
      "Returns the pages with the most visitors on a site in a period, and the site's " +
      'top entry and exit pages.',
    input: Selection,
    output: z.object({
      site_id: z.string(),
      period: Period,
      pages: z.array(Page),
      entry_pages: VisitedPages,
      exit_pages: VisitedPages,
    }),
    async run(args, { requester }) {
      const view = await readDashboard(services, args, requester);
      const byVisit = (rows: DashboardView['entry_pages']) =>
        rows.map(({ value, visits }) => ({ page: value, visits }));
      return {
        ...view,
        pages: view.pages.map(({ value, ...figures }) => ({ page: value, ...figures })),
        entry_pages: byVisit(view.entry_pages),
        exit_pages: byVisit(view.exit_pages),
      };
    },
  });

/** Figures of sites, with the scope `analytics:read`. */
export const analyticsTools = (services: McpServices): CreateTool[] => [
  listSites(services),
  queryAnalytics(services),
  topPages(services),
];
