import type { Requester } from '../../../platform/http/requests/requester.ts';
import type { ConsoleServices } from '../context.ts';
import type { ViewParams } from './view-params.ts';
import type { SiteEntry } from './view-controls.tsx';
import { type AnalyticsPageQuery, readParams } from './page-query.ts';

export interface RequestedSite {
  address: ViewParams;
  /** Busiest first. */
  sites: readonly SiteEntry[];
}

/** Reads the view of a site, in whose time zone it is. Throws `analytics.site_unknown`. */
export const readView = (
  { siteAdmin }: Pick<ConsoleServices, 'siteAdmin'>,
  query: AnalyticsPageQuery,
  site: string,
): ViewParams => readParams(query, site, siteAdmin.getSite(site).settings.timezone);

/** Returns the site in the query, else the busiest one. Undefined if there is no site. */
export async function readRequestedSite(
  context: Pick<ConsoleServices, 'dashboards' | 'siteAdmin'>,
  query: AnalyticsPageQuery,
  by: Requester,
): Promise<RequestedSite | undefined> {
  const sites = (await context.dashboards.sites(by)).toSorted((a, b) => b.events - a.events);
  const site = query.site_id ?? sites[0]?.site_id;
  return site === undefined ? undefined : { address: readView(context, query, site), sites };
}
