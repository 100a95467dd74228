import { z } from 'zod';
import type { ViewParams } from './view-params.ts';
import { breakdownNames } from './dashboard/breakdowns.ts';

const text = (most: number) => z.string().max(most).optional();

/**
 * What an address of the analytics pages may say. Nothing of it is refused: what is wrong is told
 * on the page, beside figures.
 */
export const AnalyticsPageQuery = z.object({
  site_id: text(64).describe('The site; the busiest one when absent.'),
  period: text(20),
  from: text(40),
  to: text(40),
  timezone: text(64),
  compare: text(20),
  bots: text(8),
  filter: z.union([z.string().max(4000), z.array(z.string().max(4000)).max(20)]).optional(),
  dimension: text(40).describe('With `operator` and `value`: one more filter, from the form.'),
  prop: text(300),
  operator: text(20),
  value: text(1000),
  done: text(40),
  format: text(10),
  skip: text(4).describe('Funnels, or rows of a list, that pages before have shown.'),
});

/** The same with one of the lists, whose rows are shown from `skip` on. */
export const AnalyticsListQuery = AnalyticsPageQuery.extend({ list: z.enum(breakdownNames) });

export type AnalyticsPageQuery = z.output<typeof AnalyticsPageQuery>;

/** How many entries the pages before have shown. */
export const skipOf = ({ skip = '' }: AnalyticsPageQuery): number =>
  /^\d{1,4}$/.test(skip) ? Number(skip) : 0;

const periods = ['24h', '7d', '30d', '90d', '12mo', 'custom'] as const;
const isPeriod = (name: string | undefined): name is (typeof periods)[number] =>
  periods.some((each) => each === name);
const orUndefined = (value: string | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : value;

/** A filter as the form for one more has it. */
function added({
  dimension,
  prop = '',
  operator = 'is',
  value = '',
}: AnalyticsPageQuery): string[] {
  if (dimension === undefined) return [];
  const name =
    dimension === 'props'
      ? `props.${prop.replace(/[\\:]/g, (character) => `\\${character}`)}`
      : dimension;
  return [
    `${name}:${operator}:${operator.startsWith('matches') ? value : value.replace(/[\\|]/g, (character) => `\\${character}`)}`,
  ];
}

/** What the query asks for. Days make a period of its own; a period beside them does not count. */
export function readParams(query: AnalyticsPageQuery, site: string): ViewParams {
  const { period, compare, filter = [], timezone } = query;
  const [from, to] = [orUndefined(query.from), orUndefined(query.to)];
  const isCustom = from !== undefined || to !== undefined;
  return {
    site,
    from,
    to,
    period: isCustom ? 'custom' : isPeriod(period) && period !== 'custom' ? period : '30d',
    timezone: orUndefined(timezone) ?? 'UTC',
    compare: compare === 'previous' || compare === 'year' ? compare : undefined,
    bots: query.bots === 'true',
    filters: [...new Set([...(typeof filter === 'string' ? [filter] : filter), ...added(query)])],
  };
}

/** The same site and time zone, with nothing that can be wrong. */
export const defaultParams = ({ site }: ViewParams): ViewParams => ({
  site,
  from: undefined,
  to: undefined,
  period: '30d',
  timezone: 'UTC',
  compare: undefined,
  bots: false,
  filters: [],
});
