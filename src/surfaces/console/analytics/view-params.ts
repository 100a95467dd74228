import type { DashboardQuery } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { withQuery } from '../components/navigation.tsx';
import { sectionPath } from '../sections.ts';

/** The part of a dashboard query that is in the URL, so that a view can be shared. */
export interface ViewParams {
  site: string;
  period: DashboardQuery['period'];
  from: string | undefined;
  to: string | undefined;
  timezone: string;
  compare: DashboardQuery['compare'];
  /** Each as `dimension:operator:value`. */
  filters: readonly string[];
  bots: boolean;
}

export const analyticsPath = sectionPath('analytics');

/** The URL of a view. Defaults are left out. */
export function viewUrl(
  { site, period, from, to, timezone, compare, filters, bots }: ViewParams,
  path = analyticsPath,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  return withQuery(path, {
    site_id: site,
    period: period === '30d' ? undefined : period,
    from,
    to,
    timezone: timezone === 'UTC' ? undefined : timezone,
    compare,
    bots: bots ? 'true' : undefined,
    filter: filters,
    ...more,
  });
}

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
