import type { DashboardQuery } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import { withQuery } from '../parts.ts';
import { placeOf } from '../sections.ts';

/** What of a question stands in the address, so that a view can be kept and sent to somebody. */
export interface AnalyticsAddress {
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

export const analyticsHome = placeOf('analytics');

/** The address of a view; what is as usual is left out. */
export function addressOf(
  { site, period, from, to, timezone, compare, filters, bots }: AnalyticsAddress,
  path = analyticsHome,
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

/** The same view, narrowed to a value of a dimension; null stands for what is not known. */
export function narrowed(
  address: AnalyticsAddress,
  dimension: string,
  value: string | null,
): AnalyticsAddress {
  const filter = `${dimension}:is:${escaped(value ?? '')}`;
  return address.filters.includes(filter)
    ? address
    : { ...address, filters: [...address.filters, filter] };
}

export const widened = (address: AnalyticsAddress, filter: string): AnalyticsAddress => ({
  ...address,
  filters: address.filters.filter((each) => each !== filter),
});
