import type { DashboardStoreQuery } from '../../../../src/areas/analytics/store/queries.ts';
import { referenceDashboard } from '../reference/dashboard.ts';

/** Asks for the dashboard of a site, for no time. */
export const emptyQuery: DashboardStoreQuery = {
  siteId: 1,
  range: { from: 0, to: 1 },
  compare: undefined,
  buckets: [],
  filters: [],
  bots: false,
  limit: 10,
  now: 1,
};

/** The dashboard of an empty event store. */
export const emptyResult = referenceDashboard([], [], emptyQuery);
