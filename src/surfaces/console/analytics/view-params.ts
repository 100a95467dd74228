import type { DashboardQuery } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { withQuery } from '../components/navigation.ts';
import { sectionPath } from '../sections.ts';

/** What of a question stands in the address, so that a view can be kept and sent to somebody. */
export interface ViewParams {
  site: string;
  period: DashboardQuery['period'];
  from: string | undefined;
  to: string | undefined;
  timezone: string;
  compare: DashboardQuery['compare'];
  /** As they were written: `dimension:operator:value`. */
  filters: readonly string[];
  bots: boolean;
}

export const analyticsPath = sectionPath('analytics');

/** The address of a view; what is as usual is left out. */
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

/** A value as it stands in a filter: what parts values there is escaped. */
const escaped = (value: string): string => value.replace(/[\\|]/g, (character) => `\\${character}`);

/** The same view, withFilter to a value of a dimension; null stands for what is not known. */
export function withFilter(
  address: ViewParams,
  dimension: string,
  value: string | null,
): ViewParams {
  const filter = `${dimension}:is:${escaped(value ?? '')}`;
  return address.filters.includes(filter)
    ? address
    : { ...address, filters: [...address.filters, filter] };
}

export const withoutFilter = (address: ViewParams, filter: string): ViewParams => ({
  ...address,
  filters: address.filters.filter((each) => each !== filter),
});
