import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { Messages } from '../comms/service.ts';
import type { Geoip } from '../geoip/country-database.ts';
import type { Users } from '../identity/users/service.ts';
import type { Dashboards } from './figures/dashboard.ts';
import type { AnalyticsQueries } from './figures/queries.ts';
import type { Pipeline } from './pipeline.ts';
import type { Sites } from './sites/sites.ts';

/** What analytics needs of other areas. */
export interface AnalyticsNeeds {
  pipeline: Pipeline;
  geoip: Geoip;
  messages: Messages;
  channels: { email: boolean };
  audit: Audit;
  users: Pick<Users, 'ownerOf'>;
}

/** What the services of analytics are created from. */
export interface AnalyticsResources extends Resources, AnalyticsNeeds {
  sites: Sites;
  queries: AnalyticsQueries;
  dashboards: Dashboards;
}
