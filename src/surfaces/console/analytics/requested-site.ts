import type { Requester } from '../../../platform/http/requester.ts';
import type { ConsoleServices } from '../context.ts';
import type { AnalyticsAddress } from './analytics-address.ts';
import type { SiteEntry } from './analytics-frame.ts';
import { type AnalyticsPageQuery, readAddress } from './analytics-query.ts';

export interface RequestedSite {
  address: AnalyticsAddress;
  /** Busiest first. */
  sites: readonly SiteEntry[];
}

/** The site in the query, else the busiest one. Undefined while there is no site. */
export async function readRequestedSite(
  { dashboards }: Pick<ConsoleServices, 'dashboards'>,
  query: AnalyticsPageQuery,
  by: Requester,
): Promise<RequestedSite | undefined> {
  const sites = (await dashboards.sites(by)).toSorted((a, b) => b.events - a.events);
  const site = query.site_id ?? sites[0]?.site_id;
  return site === undefined ? undefined : { address: readAddress(query, site), sites };
}
