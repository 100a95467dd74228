import { systemActor } from '../../../src/platform/http/requests/request-actor.ts';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { asAdmin } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { errorsIn } from '../../support/log.ts';
import { clearedOn, createDeviceBrowser } from '../../support/devices.ts';
import { createBearerClient } from '../../support/bearer-devices.ts';
import { type Answer, ask, codesOf, cookieOf, graphClient, nodeId } from './graphql-client.ts';
import { openCookie } from '../../support/sign-in.ts';

const who: Record<string, Record<string, string>> = {};
let incidentId = '';
const secret = 'a name that only admins may read';
const ownOrigin = { host: 'localhost:80', origin: 'http://localhost:80' };

const app = await sharedApp();
beforeAll(async () => {
  const { apiKeys, status } = app.services;
  const keyFor = async (scope: 'analytics:write' | 'analytics:read') => ({
    authorization: `Bearer ${(await apiKeys.create({ name: secret, scopes: [scope] })).key}`,
  });
  const { browser } = await clearedOn(app, { email: 'cleared@example.com' });
  const uncleared = createDeviceBrowser(app);
  await uncleared.signIn({ email: 'uncleared@example.com', roles: ['admin'] });
  const bearer = await createBearerClient(app, { email: 'bearer@example.com' });
  const viewer = await createBearerClient(app, { email: 'viewer@example.com', roles: ['viewer'] });
  Object.assign(who, {
    nobody: {},
    'a person': (await openCookie(app, 'person@example.com')).headers,
    'a person with a token': { authorization: `Bearer ${bearer.self.tokens.accessToken}` },
    'somebody who may read, on no cleared device': {
      authorization: `Bearer ${viewer.self.tokens.accessToken}`,
    },
    'an admin on no cleared device': { cookie: cookieOf(uncleared) },
    'a key that writes events': await keyFor('analytics:write'),
    'a key that reads figures': await keyFor('analytics:read'),
    'an admin': { cookie: cookieOf(browser), 'user-agent': browser.userAgent },
    'the admin key': asAdmin,
    'an invalid cookie': { cookie: 'svc_session=svcs_nonsense' },
  });
  const incident = await status.incidents.create(
    { name: 'Public', status: 'investigating', body: 'Known to all', components: [] },
    systemActor,
  );
  incidentId = incident.id;
}, 60_000);

const people = [
  'nobody',
  'a person',
  'a person with a token',
  'somebody who may read, on no cleared device',
  'an admin on no cleared device',
  'a key that writes events',
  'a key that reads figures',
  'an admin',
  'the admin key',
  'an invalid cookie',
];
const noKey = '00000000-0000-7000-8000-000000000000';
const nodeOf = (id: string) => `{ node(id: "${nodeId(id)}") { id } }`;
const changeIncident = (call: string) => `mutation ($id: ID!) { ${call} { incident { id } } }`;

/**
 * Fields with the equivalent call of the REST API; `:incident` is an incident. The input of
 * mutations is invalid, so that those that pass the access check fail without an effect.
 */
const fields = [
  [
    'viewer',
    '{ viewer { userId sessions { client device { name } } devices { name } } }',
    'GET /api/auth/me',
  ],
  ['node of a session', nodeOf('Session:x'), 'GET /api/auth/sessions'],
  ['node of a device', nodeOf('Device:x'), 'GET /api/auth/blackops/devices'],
  ['node of a person', nodeOf('Viewer:x'), 'GET /api/auth/me'],
  ['sites', '{ sites { siteId events } }', 'GET /analytics/sites'],
  ['node of a site', nodeOf('Site:x'), 'GET /analytics/sites'],
  [
    'dashboard',
    '{ dashboard(siteId: "none") { totals { visitors } } }',
    'GET /analytics/dashboard?site_id=none',
  ],
  [
    'audit',
    '{ audit { nodes { action address actor { apiKey { name } } } } }',
    'GET /api/v1/audit',
  ],
  ['apiKeys', '{ apiKeys { totalCount nodes { name hint } } }', 'GET /api/v1/api-keys'],
  ['node of a key', nodeOf('ApiKey:x'), 'GET /api/v1/api-keys'],
  [
    'createIncident',
    'mutation { createIncident(input: { name: "", body: "x" }) { incident { id } } }',
    'POST /api/v1/status/incidents',
  ],
  [
    'updateIncident',
    changeIncident('updateIncident(input: { id: $id, status: identified, body: "" })'),
    'POST /api/v1/status/incidents/:incident/updates',
  ],
  [
    'resolveIncident',
    changeIncident('resolveIncident(id: $id, body: "")'),
    'POST /api/v1/status/incidents/:incident/updates',
  ],
  [
    'createApiKey',
    'mutation { createApiKey(input: { name: "", scopes: [ADMIN] }) { key } }',
    'POST /api/v1/api-keys',
  ],
  [
    'revokeApiKey',
    `mutation { revokeApiKey(id: "${nodeId(`ApiKey:${noKey}`)}") { apiKey { name } } }`,
    `DELETE /api/v1/api-keys/${noKey}`,
  ],
] as const;

const asWho = (name: string) => ({ ...ownOrigin, ...who[name] });

const askAs = (name: string, query: string) => {
  const variables = { id: nodeId(`Incident:${incidentId}`) };
  return ask(app, query, {
    headers: asWho(name),
    ...(query.includes('$id') ? { variables } : {}),
  });
};

/** The outcome of the call of the REST API: the error code of a 401 or 403, or `let in`. */
async function byRest(name: string, call: string): Promise<string> {
  const [method = '', url = ''] = call.replace(':incident', incidentId).split(' ');
  const { status, body } = await new TestClient(app)
    .as(asWho(name))
    .send<{ code: string }>(method, url, method === 'POST' ? {} : undefined);
  return [401, 403].includes(status) ? body.code : 'let in';
}

function byGraphql(answer: Answer): string {
  const refused = answer.errors
    .filter(({ extensions: { status } }) => [401, 403].includes(status))
    .map(({ extensions }) => extensions.code);
  return refused[0] ?? 'let in';
}

describe.each(fields)('%s', (_name, query, call) => {
  it.each(people)('has for %s the same access rules as the REST API', async (name) => {
    const answer = await askAs(name, query);
    const expected = await byRest(name, call);
    expect(byGraphql(answer)).toBe(expected);
    // A refused field is null: even an empty list would reveal that the object exists.
    if (expected === 'let in') return;
    expect(JSON.stringify(answer.data ?? null).replace('{"node":null}', 'null')).toBe('null');
    expect(JSON.stringify(answer.errors)).not.toContain(secret);
  });
});

it('the cases cover every kind of refusal', async () => {
  const queries = fields.slice(0, 11).map(([, query]) => query);
  const codes = await Promise.all(
    people.flatMap((name) => queries.map(async (query) => byGraphql(await askAs(name, query)))),
  );
  expect([...new Set(codes)].sort()).toEqual([
    'blackops.device_not_cleared',
    'let in',
    'request.forbidden',
    'request.unauthenticated',
  ]);
});

describe('public fields', () => {
  const everything =
    '{ hello version status { indicator description incidents { name updates { body } } } ' +
    'components { name uptime } incidents { nodes { name } } maintenances { nodes { name } } ' +
    'health { status } }';
  it.each(people)('are the same for %s', async (name) => {
    const answer = await askAs(name, everything);
    expect(answer.errors).toEqual([]);
    expect(answer.data).toMatchObject({
      hello: 'Hello, world!',
      incidents: { nodes: [{ name: 'Public' }] },
    });
  });

  it.each(people)('are returned to %s beside fields that are refused', async (name) => {
    const answer = await askAs(name, '{ hello status { indicator } node(id: "x") { id } }');
    expect(answer.data).toMatchObject({ hello: 'Hello, world!', node: null });
  });
});

it.each(people)(
  'the checks of health are visible to %s exactly as at /api/health',
  async (name) => {
    const { data } = await askAs(name, '{ health { checks { name status output } } }');
    const rest = await new TestClient(app).as(asWho(name)).get('/api/health');
    expect((data as { health: { checks: unknown } }).health.checks !== null).toBe(
      'checks' in rest.body,
    );
  },
);

describe('with a cookie', () => {
  const mutation = 'mutation { endSessions(keepCurrent: true) { ended } }';
  const viewer = '{ viewer { userId } }';
  it.each([
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    {},
    { origin: 'null' },
  ] as Record<string, string>[])('a POST with %j is refused, query or mutation', async (from) => {
    for (const query of [mutation, viewer]) {
      const answer = await ask(app, query, {
        headers: { host: 'localhost:80', ...who['a person'], ...from },
      });
      expect(codesOf(answer)).toEqual(['auth.csrf_origin']);
      expect(answer.data ?? null).toBeNull();
    }
  });

  it.each([
    [{ origin: 'https://evil.example' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{}, false],
    [{ 'graphql-require-preflight': '1' }, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
  ] as [Record<string, string>, boolean][])(
    'a GET with %j is answered: %s',
    async (from, isAnswered) => {
      const headers = { host: 'localhost:80', ...who['a person'], ...from };
      const options = { query: { query: viewer }, headers };
      const { body } = await new TestClient(app).get('/api/graphql/', options);
      expect(body).toMatchObject(
        isAnswered
          ? { data: { viewer: { userId: expect.any(String) as string } } }
          : { data: null, errors: [{ extensions: { code: 'graphql.preflight_required' } }] },
      );
    },
  );

  it("ids of another user's objects find nothing", async () => {
    const { sessionId } = await openCookie(app, 'other@example.com');
    const person = graphClient(app, asWho('a person'));
    const id = nodeId(`Session:${sessionId}`);
    expect(await person.data('query ($id: ID!) { node(id: $id) { id } }', { id })).toEqual({
      node: null,
    });
    expect(
      await person.codes('mutation ($id: ID!) { endSession(id: $id) { ended } }', { id }),
    ).toEqual(['graphql.not_found']);
  });
});

it('no request above logs an error', () => {
  expect(errorsIn(app.log())).toEqual([]);
});
