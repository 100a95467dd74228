import { contentTypes } from '../../../areas/analytics/figures/exports.ts';
import {
  toRequestedPeriod,
  resolvePeriodQuery,
} from '../../../areas/analytics/figures/periods/period-query.ts';
import { comparedRange } from '../../../areas/analytics/figures/periods/partial-periods.ts';
import { periodIssues } from '../../../areas/analytics/figures/periods/periods.ts';
import {
  DashboardQuery,
  type DashboardView,
} from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { changeOf } from '../../../areas/analytics/figures/dashboard.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import type { ConsoleServices } from '../context.ts';
import type { ViewParams } from './view-params.ts';
import { alignSeries } from './compared-series.ts';
import { texts } from './texts/en.ts';

export const exportFormats = ['csv', 'ndjson', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

type Services = Pick<ConsoleServices, 'dashboards' | 'exports'>;

const shortList = 10;

const parseQuery = (
  { site, period, from, to, timezone, compare, goal, filters, bots }: ViewParams,
  limit = shortList,
) =>
  DashboardQuery.safeParse({
    site_id: site,
    period,
    from,
    to,
    timezone,
    compare,
    goal,
    filter: [...filters],
    bots: String(bots),
    limit,
  });

/** Returns the query of the API's dashboard. Throws RequestValidationError, which is a 422. */
export function toDashboardQuery(address: ViewParams, limit?: number): DashboardQuery {
  const { success, data, error } = parseQuery(address, limit);
  if (success) return data;
  throw new RequestValidationError(
    error.issues.map(({ path, message }) => ({
      type: 'value_error',
      loc: ['query', ...path.map(String)],
      msg: message,
      input: null,
    })),
  );
}

/** What is wrong with a field of a view, in words for the page. */
function mistakeText(field: string, message: string, { from, to }: ViewParams): string {
  const { mistakes } = texts.controls;
  const isDate = (value: string) => {
    const year = new Date(value).getUTCFullYear();
    return year >= 1970 && year <= 9000;
  };
  if (field === 'timezone') return mistakes.timezone;
  if (field === 'filter') return mistakes.filter({ message });
  if (field === 'from') {
    if (from === undefined) return mistakes.noFrom;
    return isDate(from) ? mistakes.tooLong : mistakes.badFrom;
  }
  if (field === 'to') {
    if (to === undefined) return mistakes.noTo;
    return isDate(to) ? mistakes.order : mistakes.badTo;
  }
  return mistakes.other({ field, message });
}

/** What is wrong with a view at `now` (Unix ms); empty if its figures can be read. */
export function mistakesIn(address: ViewParams, now: number): string[] {
  const { success, data, error } = parseQuery(address);
  if (!success)
    return error.issues.map(({ path, message }) => mistakeText(String(path[0]), message, address));
  return periodIssues(toRequestedPeriod(data, now)).map(({ field, message }) =>
    mistakeText(field, message, address),
  );
}

export interface Figures {
  view: DashboardView;
  /** The compared period, aligned with the series of the view. Undefined: nothing is compared. */
  before: readonly (DashboardView['series'][number] | undefined)[] | undefined;
}

/** The query of the compared period; undefined if nothing is compared. */
function comparedQuery(query: DashboardQuery, now: number): DashboardQuery | undefined {
  const period = resolvePeriodQuery(query, now);
  const range = comparedRange(toRequestedPeriod(query, now), period);
  return (
    range && {
      ...query,
      period: 'custom',
      from: new Date(range.from).toISOString(),
      to: new Date(range.to).toISOString(),
      interval: period.interval,
      compare: undefined,
      limit: 0,
    }
  );
}

/** Puts the figures of the compared period into those of a view. */
function compareWith(
  view: DashboardView,
  before: DashboardView,
  compare: 'previous' | 'year',
): Figures {
  const { period, totals, series } = before;
  const compared = {
    ...view,
    compared: { from: period.from, to: period.to, totals },
    change: changeOf(view.totals, totals),
  };
  return { view: compared, before: alignSeries(compared, series, compare) };
}

export interface ReadOptions {
  /** Unix ms. */
  now: number;
  by: Requester;
  /** The most rows of each list. */
  limit?: number;
}

/**
 * Reads the figures of a view and of the period that it is compared with, side by side. Throws as
 * the API's dashboard does.
 */
export async function readFigures(
  { dashboards }: Services,
  address: ViewParams,
  { now, by, limit }: ReadOptions,
): Promise<Figures> {
  const query = toDashboardQuery(address, limit);
  const compared = comparedQuery(query, now);
  const [view, before] = await Promise.all([
    dashboards.getDashboard({ ...query, compare: undefined }, by),
    compared && dashboards.getDashboard(compared, by),
  ]);
  return query.compare === undefined || before === undefined
    ? { view, before: undefined }
    : compareWith(view, before, query.compare);
}

/** Exports the events of a view as a file, in parts. Throws as the API's export does. */
export async function exportEvents(
  { exports }: Services,
  address: ViewParams,
  { format, now, by }: { format: ExportFormat; now: number; by: Requester },
): Promise<{ type: string; parts: AsyncIterable<Uint8Array> }> {
  const query = toDashboardQuery(address);
  const { range } = resolvePeriodQuery(
    { period: query.period, from: query.from, to: query.to, timezone: query.timezone },
    now,
  );
  const { parts } = await exports.exportEvents(
    {
      format,
      site_id: query.site_id,
      from: new Date(range.from).toISOString(),
      to: new Date(range.to).toISOString(),
      filter: query.filter,
    },
    by,
  );
  return { type: contentTypes[format], parts };
}
