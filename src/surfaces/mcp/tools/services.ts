import type { Dashboards } from '../../../areas/analytics/figures/dashboard.ts';
import type { Audit } from '../../../areas/audit/service.ts';
import type { Sessions } from '../../../areas/identity/sessions/service.ts';
import type { Devices } from '../../../areas/identity/devices/service.ts';
import type { Deliverability } from '../../../areas/deliverability/service.ts';
import type { AddressFacts } from '../../../areas/geoip/service.ts';
import type { RealtimeMetrics } from '../../../areas/health/realtime.ts';
import type { Health } from '../../../areas/health/service.ts';
import type { Release } from '../../../areas/health/views.ts';
import type { Status } from '../../../areas/status/service.ts';
import type { Users } from '../../../areas/identity/users/service.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { BoundOperation } from '../../../platform/operations/bound.ts';
import type { BoundResource } from '../../../platform/resource/resource.ts';
import type { Library } from '../../developer/library.ts';

/** The services that tools call: those of the REST API. */
export interface ToolServices {
  addressFacts: AddressFacts;
  audit: Audit;
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  clock: Clock;
  dashboards: Dashboards;
  deliverability: Deliverability;
  devices: Devices;
  health: Health;
  library: Library;
  operationList: readonly BoundOperation[];
  realtime: { metrics: () => RealtimeMetrics };
  release: Release;
  resourceList: readonly BoundResource[];
  sessions: Sessions;
  status: Status;
  users: Users;
}
