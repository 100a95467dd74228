import { actorOf, type RequestActor } from '../../../platform/identity/actors.ts';
import type { Principal } from '../../../platform/identity/identity.ts';
import type { ApiKeyScope } from '../../../lib/access.ts';
import type { Asker } from '../../../platform/http/request-origin.ts';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import {
  ApiKeyListQuery,
  ApiKeyParams,
  type ApiKeyView,
  CreateApiKeyBody,
} from '../../../areas/api-keys/schemas.ts';
import { type AuditEventView, AuditListQuery } from '../../../areas/audit/schemas.ts';
import type { CheckView } from '../../../areas/health/schemas.ts';
import { checksView, healthView } from '../../../areas/health/views.ts';
import type { GraphContext, GraphqlServices, NodeFinder, Resolver, Resolvers } from '../context.ts';
import { inCamelCase } from './camel-case.ts';
import { checkedInput } from './arguments.ts';
import { type PageArgs, readCursor, toConnection } from './connections.ts';
import { rawIdOf, toNodeId } from './node-ids.ts';

interface AuditArgs extends PageArgs {
  action?: string | null;
  actorId?: string | null;
  targetId?: string | null;
  outcome?: string | null;
  since?: string | null;
  until?: string | null;
}

/** Names of GraphQL have no colon. */
const scopes = {
  ANALYTICS_WRITE: 'analytics:write',
  ANALYTICS_READ: 'analytics:read',
  ADMIN: 'admin',
} as const satisfies Record<string, ApiKeyScope>;
type ScopeName = keyof typeof scopes;
const scopeNames: Readonly<Record<ApiKeyScope, ScopeName>> = {
  'analytics:write': 'ANALYTICS_WRITE',
  'analytics:read': 'ANALYTICS_READ',
  admin: 'ADMIN',
};

function toKeyNode({ id, scopes: held, ...view }: ApiKeyView) {
  return {
    __typename: 'ApiKey' as const,
    ...inCamelCase(view),
    id: toNodeId('ApiKey', id),
    keyId: id,
    scopes: held.map((scope) => scopeNames[scope]),
  };
}

function toAuditNode({ id, actor, target, request_id: requestId, ...event }: AuditEventView) {
  const whom = target === null ? null : { kind: target.kind, targetId: target.id };
  return {
    ...event,
    id: toNodeId('AuditEvent', id),
    eventId: id,
    requestId,
    actor: { kind: actor.kind, actorId: actor.id },
    target: whom,
  };
}

const requestActor = (principal: Principal, asker: Asker): RequestActor => ({
  actor: actorOf(principal),
  ...asker,
});

function toCheck(
  name: string,
  { status, componentType, observedValue, observedUnit, time, output }: CheckView,
) {
  return {
    name,
    status,
    componentType,
    observedValue: observedValue === undefined ? null : String(observedValue),
    observedUnit,
    time,
    output,
  };
}

/** What admins see and do, as `/api/v1/audit` and `/api/v1/api-keys` do it; and health. */
export function createAdminResolvers({
  audit,
  apiKeys,
  health,
  realtime,
  release,
  clock,
}: GraphqlServices) {
  const listAudit: Resolver<unknown, AuditArgs, object> = async (
    _root,
    { first, after, actorId, targetId, ...others },
    { access, questioner },
  ) => {
    await access().admin();
    const query = checkedInput(
      AuditListQuery,
      {
        ...others,
        limit: first,
        cursor: readCursor(after),
        actor_id: actorId,
        target_id: targetId,
      },
      'query',
    );
    const page = await audit.list(query, questioner().signal);
    return toConnection(page.data.map(toAuditNode), ({ eventId }) => eventId, {
      hasNextPage: page.next_cursor !== null,
      after,
    });
  };

  const listKeys: Resolver<unknown, PageArgs, object> = async (
    _root,
    { first, after },
    { access, questioner },
  ) => {
    await access().admin();
    const page = await apiKeys.list(
      checkedInput(ApiKeyListQuery, { limit: first, cursor: readCursor(after) }, 'query'),
      questioner().signal,
    );
    return {
      ...toConnection(page.data.map(toKeyNode), ({ keyId }) => keyId, {
        hasNextPage: page.next_cursor !== null,
        after,
      }),
      totalCount: page.total,
    };
  };

  const createApiKey: Resolver<
    unknown,
    { input: { name: string; scopes: ScopeName[]; expiresAt?: string | null } },
    object
  > = async (_root, { input }, { access, asker }) => {
    const by = requestActor(await access().admin(), asker());
    const body = checkedInput(CreateApiKeyBody, {
      name: input.name,
      scopes: input.scopes.map((name) => scopes[name]),
      expires_at: input.expiresAt,
    });
    const { key, ...view } = await apiKeys.create(body, by);
    return { key, apiKey: toKeyNode(view) };
  };

  const revokeApiKey: Resolver<unknown, { id: string }, object> = async (
    _root,
    { id },
    { access, asker },
  ) => {
    const by = requestActor(await access().admin(), asker());
    return {
      apiKey: toKeyNode(
        await apiKeys.revoke(checkedInput(ApiKeyParams, { id: rawIdOf('ApiKey', id) }).id, by),
      ),
    };
  };

  const showHealth: Resolver<unknown, unknown, object> = async (_root, _args, { access }) => {
    const { notes = [], output, status, version } = healthView(health, release);
    const checks = (await access().seesHealth())
      ? Object.entries(checksView(health, realtime.figures(), clock.now())).flatMap(([name, all]) =>
          all.map((check) => toCheck(name, check)),
        )
      : null;
    return { status, version, notes, output, checks };
  };

  /** Only inside entries that an admin was given. */
  const keyOfActor: Resolver<
    { kind: string; actorId: string | null },
    unknown,
    object | undefined
  > = async ({ kind, actorId }, _args, { loaders }) => {
    if (kind !== 'api_key' || actorId === null || !ApiKeyParams.safeParse({ id: actorId }).success)
      return undefined;
    const key = await loaders().apiKey(actorId);
    return key === undefined ? undefined : toKeyNode(key);
  };

  const findKey: NodeFinder = async (rawId, { access }: GraphContext) => {
    await access().admin();
    if (!ApiKeyParams.safeParse({ id: rawId }).success) return undefined;
    const key = await undefinedIfMissing(apiKeys.get(rawId));
    return key === undefined ? undefined : toKeyNode(key);
  };

  return {
    resolvers: {
      Query: { audit: listAudit, apiKeys: listKeys, health: showHealth },
      Mutation: { createApiKey, revokeApiKey },
      AuditActor: { apiKey: keyOfActor },
    } satisfies Resolvers,
    nodes: { ApiKey: findKey } satisfies Record<string, NodeFinder>,
  };
}
