import { principalActor, type RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { BoundOperation } from '../../platform/operations/bound.ts';
import type { BoundResource } from '../../platform/resource/resource.ts';
import type { Principal } from '../../platform/identity/identity.ts';
import type { Requester } from '../../platform/http/requests/requester.ts';
import type { RequestSource } from '../../platform/http/requests/request-origin.ts';
import type { Dashboards } from '../../areas/analytics/figures/dashboard.ts';
import type { ApiKeys } from '../../areas/api-keys/service.ts';
import type { Audit } from '../../areas/audit/service.ts';
import type { Session, Sessions } from '../../areas/identity/sessions/service.ts';
import type { Devices } from '../../areas/identity/devices/service.ts';
import type { Health } from '../../areas/health/service.ts';
import type { Release } from '../../areas/health/views.ts';
import type { Status } from '../../areas/status/service.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Identities } from '../ws/clients/identities.ts';
import type { Realtime } from '../ws/service.ts';
import type { Loaders } from './schema/loaders.ts';

/** The checks of the caller that routes of the REST API get from their scopes. */
export interface Access {
  /** The session of the signed-in user. Rejects with 401, as `/api/auth/me` does. */
  session: () => Promise<Session>;
  /** The caller, if it has the scope `admin`. Rejects with 401 or 403, as `/api/v1/audit` does. */
  admin: () => Promise<Principal>;
  /**
   * The caller, if it has the scope `analytics:read`. Rejects with 401 or 403, as
   * `/analytics/dashboard` does.
   */
  reader: () => Promise<Principal>;
  /** True when the caller may see the checks behind the health status, as for `/api/health`. */
  seesHealth: () => Promise<boolean>;
  /** The id of the device that sent the request. Call `session` first. */
  deviceId: () => Promise<string | undefined>;
}

/** What GraphQL is made from: the services of the REST API, and those of its sockets. */
export interface GraphqlServices extends Pick<Resources, 'bus' | 'clock' | 'config' | 'logger'> {
  apiKeys: ApiKeys;
  audit: Audit;
  dashboards: Dashboards;
  devices: Pick<Devices, 'management'>;
  health: Health;
  identities: Identities;
  operationList: readonly BoundOperation[];
  realtime: Pick<Realtime, 'metrics'>;
  release: Release;
  resourceList: readonly BoundResource[];
  sessions: Sessions;
  status: Status;
}

/**
 * The context of every resolver. Parts that many operations do not need are created on demand, by
 * functions and not by getters: V8 gives each object with getters a hidden class of its own.
 */
export interface GraphqlContext {
  services: GraphqlServices;
  access: () => Access;
  loaders: () => Loaders;
  /** For the audit log. */
  requestSource: () => RequestSource;
  /** Identifies the caller in slow queries to stores. */
  requester: () => Requester;
}

/** Returns a field's value. The types of `source` and `args` are those of the schema. */
export type Resolver = (source: never, args: never, context: GraphqlContext) => unknown;

/** Resolvers by type and field. A field without a resolver is a property of its source. */
export type Resolvers = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;

/** Finds an object by its id in the REST API; undefined if missing or hidden from the caller. */
export type NodeFinder = (rawId: string, context: GraphqlContext) => Promise<object | undefined>;

/** The acting admin, for the audit log. Rejects with 401 or 403 for all other callers. */
export const adminActor = async ({
  access,
  requestSource,
}: GraphqlContext): Promise<RequestActor> =>
  principalActor(await access().admin(), requestSource());
