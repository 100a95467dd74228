import {
  ApiKeyListQuery,
  ApiKeyParams,
  CreateApiKeyBody,
} from '../../../areas/api-keys/schemas.ts';
import { type AuditEventView, AuditListQuery } from '../../../areas/audit/schemas.ts';
import { checksView, healthView } from '../../../areas/health/views.ts';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import { adminActor, type GraphqlContext, type NodeFinder, type Resolvers } from '../context.ts';
import { readArguments } from './arguments.ts';
import { type PageArgs, toConnection, toListQuery } from './connections.ts';
import { rawIdOf, toNodeId } from './node-ids.ts';

const isKeyId = (id: string): boolean => ApiKeyParams.safeParse({ id }).success;

async function listAudit(
  _root: unknown,
  args: PageArgs,
  { access, requester, services }: GraphqlContext,
) {
  await access().admin();
  const query = readArguments(AuditListQuery, toListQuery(args), 'query');
  const page = await services.audit.list(query, requester().signal);
  return toConnection(page.data, { hasNextPage: page.next_cursor !== null, after: args.after });
}

async function listApiKeys(
  _root: unknown,
  args: PageArgs,
  { access, requester, services }: GraphqlContext,
) {
  await access().admin();
  const query = readArguments(ApiKeyListQuery, toListQuery(args), 'query');
  const page = await services.apiKeys.list(query, requester().signal);
  return {
    ...toConnection(page.data, { hasNextPage: page.next_cursor !== null, after: args.after }),
    totalCount: page.total,
  };
}

async function createApiKey(_root: unknown, { input }: { input: object }, context: GraphqlContext) {
  const actor = await adminActor(context);
  const body = readArguments(CreateApiKeyBody, input);
  const { key, ...apiKey } = await context.services.apiKeys.create(body, actor);
  return { key, apiKey };
}

async function revokeApiKey(_root: unknown, args: { id: string }, context: GraphqlContext) {
  const actor = await adminActor(context);
  const { id } = readArguments(ApiKeyParams, { id: rawIdOf('ApiKey', args.id) });
  return { apiKey: await context.services.apiKeys.revoke(id, actor) };
}

// Needs no check of its own: it resolves only inside audit entries, which need an admin.
const apiKeyOfActor = (
  { kind, id }: AuditEventView['actor'],
  _args: unknown,
  { loaders }: GraphqlContext,
) => (kind === 'api_key' && id !== null && isKeyId(id) ? loaders().apiKey.load(id) : undefined);

const findApiKey: NodeFinder = async (rawId, { access, services }) => {
  await access().admin();
  return isKeyId(rawId) ? undefinedIfMissing(services.apiKeys.get(rawId)) : undefined;
};

async function health(_root: unknown, _args: unknown, { access, services }: GraphqlContext) {
  const { clock, realtime, release } = services;
  const { notes = [], output, status, version } = healthView(services.health, release);
  const seesChecks = await access().seesHealth();
  const checks = seesChecks
    ? Object.entries(checksView(services.health, realtime.metrics(), clock.now()))
    : undefined;
  return {
    status,
    version,
    notes,
    output,
    checks: checks?.flatMap(([name, all]) => all.map((check) => ({ ...check, name }))),
  };
}

/** The audit log and API keys, as under `/api/v1/audit` and `/api/v1/api-keys`, and health. */
export const adminResolvers = {
  Query: { audit: listAudit, apiKeys: listApiKeys, health },
  Mutation: { createApiKey, revokeApiKey },
  AuditEvent: { id: ({ id }: AuditEventView) => toNodeId('AuditEvent', id) },
  AuditActor: { apiKey: apiKeyOfActor },
} satisfies Resolvers;

export const adminNodes = { ApiKey: findApiKey } satisfies Record<string, NodeFinder>;
