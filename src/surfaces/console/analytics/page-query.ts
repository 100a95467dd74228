import { z } from 'zod';
import { metrics, type ViewParams } from './view-params.ts';
import { breakdownNames } from './dashboard/breakdown-lists.ts';

const text = (maxLength: number) => z.string().max(maxLength).optional();

/**
 * The query of the analytics pages. Invalid values are not refused: the page says what is wrong,
 * and shows figures of the default period.
 */
export const AnalyticsPageQuery = z.object({
  site_id: text(64).describe('The site. Default: the busiest site.'),
  period: text(20),
  from: text(40),
  to: text(40),
  timezone: text(64),
  compare: text(20).describe('`none`, or what to compare with. Default: the previous period.'),
  metric: text(40).describe('The figure that the chart shows.'),
  goal: text(40).describe('The id of a goal: adds its conversions to the figures.'),
  q: text(200).describe('Shows the rows of a list with this text.'),
  sort: text(30).describe('What orders the rows of a list; a `-` before it turns it round.'),
  bots: text(8),
  filter: z.union([z.string().max(4000), z.array(z.string().max(4000)).max(20)]).optional(),
  unit: text(10).describe('Unit of time on the retention page.'),
  dimension: text(40).describe('With `operator` and `value`: an additional filter, from the form.'),
  prop: text(300),
  operator: text(20),
  value: text(1000),
  id: text(40).describe('What a form is about, such as a goal.'),
  done: text(40),
  removed: text(6000).describe('What was just deleted, encrypted, to undo it.'),
  format: text(10),
  skip: text(4).describe('Number of funnels or list rows to skip: those shown on previous pages.'),
});

/** The same with a list, whose rows are shown from `skip` on. */
export const AnalyticsListQuery = AnalyticsPageQuery.extend({ list: z.enum(breakdownNames) });

export type AnalyticsPageQuery = z.output<typeof AnalyticsPageQuery>;

/** The number of entries on the previous pages. */
export const skipOf = ({ skip = '' }: AnalyticsPageQuery): number =>
  /^\d{1,4}$/.test(skip) ? Number(skip) : 0;

const periods = ['24h', '7d', '30d', '90d', '12mo', 'custom'] as const;
const isPeriod = (name: string | undefined): name is (typeof periods)[number] =>
  periods.some((each) => each === name);
const orUndefined = (value: string | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : value;

const escape = (value: string, special: RegExp): string =>
  value.replace(special, (character) => `\\${character}`);

const propertyName = (name: string): string => `props.${escape(name, /[\\:]/g)}`;

/** The filter for events whose property has this value; '' is an event without it. */
export const propertyFilter = (name: string, value = ''): string =>
  `${propertyName(name)}:is:${escape(value, /[\\|]/g)}`;

/** The filter that the form adds, as `dimension:operator:value`. */
function addedFilter({
  dimension,
  prop = '',
  operator = 'is',
  value = '',
}: AnalyticsPageQuery): string[] {
  if (dimension === undefined) return [];
  const name = dimension === 'props' ? propertyName(prop) : dimension;
  const isPattern = operator.startsWith('matches');
  return [`${name}:${operator}:${isPattern ? value : escape(value, /[\\|]/g)}`];
}

/**
 * Reads the view from a query. `from` and `to` take precedence over `period`. `siteZone`: the time
 * zone of the site.
 */
export function readParams(query: AnalyticsPageQuery, site: string, siteZone = 'UTC'): ViewParams {
  const { period, compare, filter = [], timezone } = query;
  const [from, to] = [orUndefined(query.from), orUndefined(query.to)];
  const isCustom = from !== undefined || to !== undefined;
  return {
    site,
    from,
    to,
    period: isCustom ? 'custom' : isPeriod(period) && period !== 'custom' ? period : '30d',
    timezone: orUndefined(timezone) ?? siteZone,
    siteZone,
    compare: compare === 'none' ? undefined : compare === 'year' ? compare : 'previous',
    metric: metrics.find((each) => each === query.metric) ?? 'visitors',
    goal: z.uuid().safeParse(query.goal).data,
    bots: query.bots === 'true',
    filters: [...new Set([filter, addedFilter(query)].flat())],
  };
}

/** The default view of the same site. */
export const defaultParams = ({ site, siteZone }: ViewParams): ViewParams =>
  readParams({}, site, siteZone);
