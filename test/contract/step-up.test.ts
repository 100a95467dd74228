import type { RouteOptions } from 'fastify';
import {
  type GraphQLInputType,
  type GraphQLField,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql/index.js';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import type { Role } from '../../src/lib/access.ts';
import { toCamelCase, toSnakeCase } from '../../src/lib/text/case.ts';
import { requestedContent } from '../support/abuse.ts';
import { asAdmin } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { exampleBodies } from '../support/example-bodies.ts';
import { sharedApp } from '../support/shared-app.ts';
import { openBearer } from '../support/sign-in.ts';
import { it } from '../support/test.ts';
import { ask as askGraphql, codesOf, nodeId } from '../surfaces/graphql/graphql-client.ts';
import { mcpClient } from '../surfaces/mcp/client.ts';

const unknownId = '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04';
const stepUp = 'auth.step_up_required';
const minuteMs = 60_000;

/**
 * Areas whose changes neither give nor take access. A new area is in neither list
 * until somebody has decided.
 */
const withoutWaysIn = new Set([
  'analytics',
  'contact',
  'contactMessages',
  'deliverability',
  'jobs',
  'nfcAlarms',
  'nfcTags',
  'qrCodes',
  'savedReplies',
  'scim',
  'settings',
  'signups',
  'status',
  'waitlistEntries',
  'zipDeliverability',
]);
/** What gives access, or changes another person's access. */
const waysIn = /^(?:apiKeys|blackops|blackopsShort|devicePages|invitations|nfcKeys|otp|users)\./;
/** Taking back what one has given must never wait; the figures of devices are reads. */
const neverHeldUp =
  /^(?:(?:apiKeys|invitations)\.revoke|users\.cancel_factor_reset|blackops\w*\.analytics_\w+)$/;
/** In an area that gives no access: what hands out the keys of a chip. */
const exceptions = new Set(['nfcTags.reencode']);

const needsFresh = (operation: string): boolean =>
  exceptions.has(operation) || (waysIn.test(operation) && !neverHeldUp.test(operation));

const changes = ['POST', 'PUT', 'PATCH', 'DELETE'];
type Principal = 'nobody' | 'person' | 'reading key' | 'admin key' | 'fresh admin' | 'stale admin';
const principals: readonly Principal[] = [
  'nobody',
  'person',
  'reading key',
  'admin key',
  'fresh admin',
  'stale admin',
];

const times = { ahead: 0 };
let headersOf: Record<Principal, Record<string, string>>;

async function bearerOf(email: string, roles: readonly Role[]) {
  const { userId } = await openBearer(app, email);
  await app.services.users.setRoles(userId, roles);
  return (await openBearer(app, email)).bearer;
}

const app = await sharedApp('people', { clock: { now: () => Date.now() + times.ahead } });
const examples = await exampleBodies(app);
beforeAll(async () => {
  const { key } = await app.services.apiKeys.create({ name: 'Reads', scopes: ['analytics:read'] });
  const stale = await bearerOf('stale@example.com', ['admin']);
  times.ahead = 5 * minuteMs + 1000;
  headersOf = {
    nobody: {},
    person: await bearerOf('person@example.com', []),
    'reading key': { authorization: `Bearer ${key}` },
    'admin key': asAdmin,
    'fresh admin': await bearerOf('fresh@example.com', ['admin']),
    'stale admin': stale,
  };
});

/** A route that admins may call to change something, with one of its methods. */
interface Change {
  operation: string;
  method: 'POST';
  route: RouteOptions;
}

const isForAdmins = ({ config }: RouteOptions): boolean =>
  config?.scope?.startsWith('admin') === true && config.errorPages === undefined;

const restChanges = (): Change[] =>
  app.http.registeredRoutes.filter(isForAdmins).flatMap((route) =>
    [route.method]
      .flat()
      .filter((method) => changes.includes(method))
      .map((method) => ({
        operation: route.schema?.operationId ?? route.url,
        method: method as 'POST',
        route,
      })),
  );

const declares = ({ schema, config }: RouteOptions): boolean =>
  [...(schema?.errors ?? []), ...(config?.errors ?? [])].includes(stepUp);

/** The error code of a refusal for who the caller is, or `let in`. */
const decisionOf = ({ status, body }: { status: number; body: Record<string, unknown> }): string =>
  [401, 403].includes(status) && !String(body.code).startsWith('factor_resets.')
    ? String(body.code)
    : 'let in';

async function byRest({ operation, route, method }: Change, principal: Principal): Promise<string> {
  const { type, body } = examples.get(operation.replace('Short.', '.')) ?? {};
  const response = await new TestClient(app).send(
    method,
    route.url.replace(/:\w+/g, unknownId),
    body,
    {
      headers: {
        ...headersOf[principal],
        ...(type === undefined ? {} : { 'content-type': type }),
      },
    },
  );
  return decisionOf(response);
}

/** A value that fits a type of GraphQL, although it means nothing. */
function anyValue(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return anyValue(type.ofType);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type))
        .map((field) => [field.name, anyValue(field.type)]),
    );
  const values: Record<string, unknown> = { Int: 1, Float: 1, Boolean: true, ID: nodeId('X:x') };
  return values[type.name] ?? 'x';
}

/** Calls a mutation with values that mean nothing. The effect of what is let in is an error. */
async function byGraphql(
  { name, args }: GraphQLField<unknown, unknown>,
  principal: Principal,
): Promise<string> {
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const head =
    declared === '' ? [`mutation`, name] : [`mutation (${declared})`, `${name}(${passed})`];
  const answer = await askGraphql(app, `${head[0] ?? ''} { ${head[1] ?? ''} { __typename } }`, {
    headers: headersOf[principal],
    variables: Object.fromEntries(args.map((arg) => [arg.name, anyValue(arg.type)])),
  });
  const refused = answer.errors.find(({ extensions: { status } }) => [401, 403].includes(status));
  expect(codesOf(answer), name).not.toContain('graphql.validation');
  return refused?.extensions.code ?? 'let in';
}

async function byMcp(tool: string, principal: Principal): Promise<string> {
  const { status, body } = await mcpClient(app, headersOf[principal]).tryTool(tool);
  if (status !== 200) return decisionOf({ status, body });
  return JSON.stringify(body).includes(`(${stepUp})`) ? stepUp : 'let in';
}

const mutations = async () =>
  Object.values((await app.services.graphql.engine()).schema.getMutationType()?.getFields() ?? {});

/** The operations of resources, by their names in the REST API. */
const ofResources = () =>
  app.services.resourceList.flatMap(({ resource: { name, type, ...resource } }) => [
    ...(resource.create === undefined ? [] : [{ name, type, verb: 'create' }]),
    ...(resource.update === undefined ? [] : [{ name, type, verb: 'update' }]),
    ...(resource.canDelete === false ? [] : [{ name, type, verb: 'delete' }]),
  ]);

/** The rows that say who has access, sorted, without the times at which people were last seen. */
const rowsOf = (content: ReadonlyMap<string, string>) =>
  ['users', 'identities', 'api_keys', 'invitations', 'nfc_master_keys', 'devices'].map((table) => [
    table,
    (content.get(table) ?? '')
      .replaceAll(/"last_(?:seen|used)_at":[^,}]*/g, '')
      .split('\n')
      .sort(),
  ]);

beforeEach(() => {
  times.ahead = 5 * minuteMs + 1000;
});

describe('a sign-in of more than five minutes ago', () => {
  it('is decided on for every change that admins can make', () => {
    const undecided = restChanges()
      .map(({ operation }) => operation)
      .filter(
        (operation) =>
          !withoutWaysIn.has(operation.split('.', 1).join()) && !waysIn.test(operation),
      );
    expect(undecided).toEqual([]);
    const wrong = restChanges().filter(
      (each) => declares(each.route) !== needsFresh(each.operation),
    );
    expect(wrong.map(({ operation }) => operation)).toEqual([]);
  });

  it('is refused by the REST API for what gives access, and changes nothing', async () => {
    const before = await requestedContent(app);
    const held = restChanges().filter(({ route }) => declares(route));
    for (const change of held)
      expect(await byRest(change, 'stale admin'), change.operation).toBe(stepUp);
    expect(held.length).toBeGreaterThan(20);
    const after = rowsOf(await requestedContent(app));
    expect(after).toEqual(rowsOf(before));
  });

  it.each(['admin key', 'fresh admin'] as const)('does not hold up the %s', async (principal) => {
    for (const change of restChanges().filter(({ route }) => declares(route)))
      expect(await byRest(change, principal), change.operation).not.toBe(stepUp);
  });
});

describe.each(principals)('the %s', (principal) => {
  it('gets one decision over REST, GraphQL and MCP for each change of a resource', async () => {
    const rest = new Map(restChanges().map((change) => [change.operation, change]));
    const fields = new Map((await mutations()).map((field) => [field.name, field]));
    for (const { name, type, verb } of ofResources()) {
      const change = rest.get(`${name}.${verb}`);
      const field = fields.get(`${verb}${type}`);
      if (change === undefined || field === undefined) throw new Error(`no ${verb} of ${name}`);
      const expected = await byRest(change, principal);
      expect(await byGraphql(field, principal), field.name).toBe(expected);
      const tool = `${verb}_${toSnakeCase(type)}`;
      expect(await byMcp(tool, principal), tool).toBe(expected);
      if (principal === 'stale admin')
        expect(expected, tool).toBe(needsFresh(change.operation) ? stepUp : 'let in');
    }
  });

  it('gets the same decision over REST and GraphQL for API keys', async () => {
    const [rest, fields] = [restChanges(), await mutations()];
    for (const verb of ['create', 'revoke']) {
      const change = rest.find(({ operation }) => operation === `apiKeys.${verb}`);
      const field = fields.find(({ name }) => name === `${verb}ApiKey`);
      if (change === undefined || field === undefined) throw new Error(`no ${verb} of API keys`);
      const expected = await byRest(change, principal);
      const body = { name: 'Key', scopes: ['ADMIN'] };
      const answer = await askGraphql(
        app,
        verb === 'create'
          ? 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }'
          : 'mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { name } } }',
        {
          headers: headersOf[principal],
          variables: { input: body, id: nodeId(`ApiKey:${unknownId}`) },
        },
      );
      const refused = answer.errors.find(({ extensions }) =>
        [401, 403].includes(extensions.status),
      );
      expect(refused?.extensions.code ?? 'let in', field.name).toBe(expected);
      if (expected !== 'let in') expect(JSON.stringify(answer.data ?? null)).not.toContain('svc_');
    }
  });
});

it('every mutation and every tool that changes something is known to these tests', async () => {
  const { operationList } = app.services;
  const generated = [
    ...ofResources().map(({ verb, type }) => `${verb}${type}`),
    ...operationList.map(({ name }) => toCamelCase(name)),
  ];
  const others = (await mutations())
    .map(({ name }) => name)
    .filter((name) => !generated.includes(name));
  expect(others.sort()).toEqual([
    'createApiKey',
    'createIncident',
    'endSession',
    'endSessions',
    'resolveIncident',
    'revokeApiKey',
    'updateIncident',
  ]);
  const { body } = await mcpClient(app, asAdmin).ask('tools/list');
  const { tools } = body.result as {
    tools: { name: string; annotations: { readOnlyHint: boolean } }[];
  };
  const made = [
    ...ofResources().map(({ verb, type }) => `${verb}_${toSnakeCase(type)}`),
    ...operationList.map(({ name }) => name),
  ];
  const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint);
  expect(
    changing
      .map(({ name }) => name)
      .filter((name) => !made.includes(name))
      .sort(),
  ).toEqual(['create_incident', 'update_incident']);
});

it('an operation of several surfaces needs a fresh sign-in on each, or on none', () => {
  const { operationList } = app.services;
  expect(operationList.length).toBeGreaterThan(10);
  for (const { operation } of operationList)
    if (!operation.path.startsWith('GET '))
      expect(operation.needsFreshSignIn ?? false, operation.id).toBe(needsFresh(operation.id));
});
