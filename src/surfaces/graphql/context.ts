import { actorOf, type RequestActor } from '../../platform/http/requests/request-actor.ts';
import type { Principal } from '../../platform/identity/identity.ts';
import type { Requester } from '../../platform/http/requests/requester.ts';
import type { RequestSource } from '../../platform/http/requests/request-origin.ts';
import type { Dashboards } from '../../areas/analytics/figures/dashboard.ts';
import type { ApiKeys } from '../../areas/api-keys/service.ts';
import type { Audit } from '../../areas/audit/service.ts';
import type { Session, Sessions } from '../../areas/auth/sessions/sessions.ts';
import type { Management } from '../../areas/blackops/management/management.ts';
import type { Health } from '../../areas/health/service.ts';
import type { Release } from '../../areas/health/views.ts';
import type { Status } from '../../areas/status/service.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Realtime } from '../ws/service.ts';
import type { Loaders } from './schema/loaders.ts';

/** Who asks, and what they may: what the routes of the REST API check by their scopes. */
export interface Access {
  /** The session of whoever has signed in. Rejects with 401 as `/api/auth/me` does. */
  session: () => Promise<Session>;
  /** Whoever may do what admins do. Rejects with 401 or 403 as `/api/v1/audit` does. */
  admin: () => Promise<Principal>;
  /** Whoever may read figures. Rejects with 401 or 403 as `/analytics/dashboard` does. */
  reader: () => Promise<Principal>;
  /** Whether the detail of the health may be shown, as `/api/health` decides. */
  seesHealth: () => Promise<boolean>;
  /** The device that the request comes from. Only after `session`. */
  deviceId: () => Promise<string | undefined>;
}

/** What GraphQL shows, as it is for the REST API. */
export interface GraphqlServices {
  apiKeys: Pick<ApiKeys, 'list' | 'get' | 'create' | 'revoke'>;
  audit: Pick<Audit, 'list' | 'record'>;
  clock: Clock;
  dashboards: Pick<Dashboards, 'getDashboard' | 'sites'>;
  devices: { management: Pick<Management, 'listByUser' | 'revokeAll'> };
  health: Health;
  realtime: Pick<Realtime, 'metrics'>;
  release: Release;
  sessions: Pick<Sessions, 'list' | 'end' | 'endAll'>;
  status: Pick<Status, 'summary' | 'state' | 'incidents'>;
}

/**
 * What every resolver gets. What many operations don't need is made on demand, without getters:
 * each object that has some costs V8 a shape of its own.
 */
export interface GraphqlContext {
  services: GraphqlServices;
  access: () => Access;
  loaders: () => Loaders;
  /** For the audit log. */
  requestSource: () => RequestSource;
  /** For questions to stores that may take long. */
  requester: () => Requester;
}

/** Gives a field's value. The schema says what `source` and `args` are. */
export type Resolver = (source: never, args: never, context: GraphqlContext) => unknown;

/** By type and field. A field without one is a member of its source. */
export type Resolvers = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;

/** Finds what has this id in the REST API; undefined when it is not there or may not be seen. */
export type NodeFinder = (rawId: string, context: GraphqlContext) => Promise<object | undefined>;

/** Who acts, for the audit log. Rejects with 401 or 403 unless it is an admin. */
export const adminActor = async ({
  access,
  requestSource,
}: GraphqlContext): Promise<RequestActor> => ({
  actor: actorOf(await access().admin()),
  ...requestSource(),
});
