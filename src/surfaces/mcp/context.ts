import type { Dashboards } from '../../areas/analytics/figures/dashboard.ts';
import type { Sites } from '../../areas/analytics/sites/sites.ts';
import type { Audit } from '../../areas/audit/service.ts';
import type { Deliverability } from '../../areas/deliverability/service.ts';
import type { AddressFacts } from '../../areas/geoip/service.ts';
import type { RealtimeMetrics } from '../../areas/health/realtime.ts';
import type { Health } from '../../areas/health/service.ts';
import type { Release } from '../../areas/health/views.ts';
import type { DeviceGuards } from '../../areas/identity/devices/guards.ts';
import type { Devices } from '../../areas/identity/devices/service.ts';
import type { Guards } from '../../areas/identity/sessions/guards.ts';
import type { Sessions } from '../../areas/identity/sessions/service.ts';
import type { Users } from '../../areas/identity/users/service.ts';
import type { Status } from '../../areas/status/service.ts';
import type { Scopes } from '../../platform/http/access.ts';
import type { BoundOperation } from '../../platform/operations/bound.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Library } from '../developer/library.ts';
import type { ExtendMcp } from './service.ts';

/** What the Model Context Protocol is made from: the services of the REST API. */
export interface McpServices extends Pick<
  Resources,
  'baseUrl' | 'brand' | 'bus' | 'clock' | 'keys' | 'logger' | 'redis'
> {
  addressFacts: AddressFacts;
  audit: Audit;
  dashboards: Dashboards;
  deliverability: Deliverability;
  deviceGuards: DeviceGuards;
  devices: Devices;
  /** Adds to what the server offers. */
  extendMcp?: ExtendMcp | undefined;
  guards: Guards;
  health: Health;
  library: Library;
  /** The OpenAPI document as JSON, once every route is registered. */
  openApi: () => Promise<string>;
  operationList: readonly BoundOperation[];
  realtime: { metrics: () => RealtimeMetrics };
  release: Release;
  resourceList: readonly BoundResource[];
  scopes: Scopes;
  sessions: Sessions;
  sites: Pick<Sites, 'list'>;
  status: Status;
  users: Users;
}
