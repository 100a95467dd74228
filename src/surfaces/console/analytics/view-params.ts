import type { DashboardQuery } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';

/** The figures that the chart can show, in the order of their tiles. */
export const metrics = [
  'visitors',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration_mean',
  'conversions',
] as const;
export type Metric = (typeof metrics)[number];

/** The part of a dashboard query that is in the URL, so that a view can be shared. */
export interface ViewParams {
  site: string;
  period: DashboardQuery['period'];
  from: string | undefined;
  to: string | undefined;
  /** The zone in which days begin: the site's, unless another was asked for. */
  timezone: string;
  /** The zone of the site. */
  siteZone: string;
  /** Undefined: nothing is compared. */
  compare: DashboardQuery['compare'];
  /** The figure that the chart shows. */
  metric: Metric;
  /** The id of the goal that the lists are about. */
  goal: string | undefined;
  /** Each as `dimension:operator:value`. */
  filters: readonly string[];
  bots: boolean;
}

export const analyticsPath = sectionPath('analytics');

/** The parameters of a view in a URL or a form. Defaults are left out. */
export const viewValues = (view: ViewParams) => ({
  site_id: view.site,
  period: view.period === '30d' ? undefined : view.period,
  from: view.from,
  to: view.to,
  timezone: view.timezone === view.siteZone ? undefined : view.timezone,
  compare: view.compare === 'previous' ? undefined : (view.compare ?? 'none'),
  metric: view.metric === 'visitors' ? undefined : view.metric,
  goal: view.goal,
  bots: view.bots ? 'true' : undefined,
  filter: view.filters,
});

/** The URL of a view. */
export const viewUrl = (
  view: ViewParams,
  path = analyticsPath,
  more: Readonly<Record<string, string | undefined>> = {},
): string => withQuery(path, { ...viewValues(view), ...more });

/** Escapes the characters that separate values in a filter. */
const escapeValue = (value: string): string =>
  value.replace(/[\\|]/g, (character) => `\\${character}`);

/** Adds a filter by a value of a dimension. Null stands for an unknown value. */
export function withFilter(
  address: ViewParams,
  dimension: string,
  value: string | null,
): ViewParams {
  const filter = `${dimension}:is:${escapeValue(value ?? '')}`;
  return address.filters.includes(filter)
    ? address
    : { ...address, filters: [...address.filters, filter] };
}

export const withoutFilter = (address: ViewParams, filter: string): ViewParams => ({
  ...address,
  filters: address.filters.filter((each) => each !== filter),
});
