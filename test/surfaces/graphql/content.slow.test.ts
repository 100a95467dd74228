import { describe, expect, test } from 'vitest';
import { asAdmin, browser as chrome, freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { clearedOn } from '../../support/devices.ts';
import { errorsIn } from '../../support/log.ts';
import { ask, graphClient, nodeId } from './graphql-client.ts';
import { openCookie } from '../../support/sign-in.ts';

const app = await freshApp();
const admin = graphClient(app, asAdmin);
const stranger = graphClient(app);
const rest = new TestClient(app).as(asAdmin);

const asOwn = (headers: Record<string, string>) => ({
  host: 'localhost:80',
  origin: 'http://localhost:80',
  ...headers,
});
interface Incidents {
  incidents: Connection<{ name: string }>;
}
interface Connection<Node> {
  nodes: Node[];
  edges: { cursor: string }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

describe('a person', () => {
  test('queries the viewer, sessions and devices as in REST, and finds them by id', async () => {
    const { browser, deviceId, sessionId } = await clearedOn(app, { email: 'ana@example.com' });
    const headers = asOwn({
      cookie: [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; '),
      'user-agent': browser.userAgent,
    });
    const person = graphClient(app, headers);
    const { viewer } = await person.data<{
      viewer: { id: string; sessions: { id: string }[]; devices: { id: string }[] };
    }>(
      `{ viewer { id userId email emailVerified roles acr authTime
      sessions { id sessionId current via createdAt device { deviceId name } }
      devices { id deviceId state binding current firstSeen } } }`,
    );
    const { body: me } = await new TestClient(app).as(headers).get('/api/auth/me');
    expect(viewer).toMatchObject({
      userId: me.id,
      email: 'ana@example.com',
      emailVerified: true,
      roles: ['admin'],
      acr: 'aal1',
      authTime: new Date(Number(me.auth_time) * 1000).toISOString(),
      sessions: [{ sessionId, current: true, via: 'cookie', device: { deviceId } }],
      devices: [{ deviceId, state: 'cleared', binding: 'cookie', current: true }],
    });
    const [session, device] = [viewer.sessions[0]?.id, viewer.devices[0]?.id];
    const again = await person.data(
      `query ($s: ID!, $d: ID!, $v: ID!) { s: node(id: $s) { id ... on Session { sessionId } }
      d: node(id: $d) { ... on Device { deviceId } } v: node(id: $v) { __typename id } }`,
      { s: session, d: device, v: viewer.id },
    );
    expect(again).toEqual({
      s: { id: session, sessionId },
      d: { deviceId },
      v: { __typename: 'Viewer', id: viewer.id },
    });
  });

  test('ends one session, and all but the current one; both are in the audit log', async () => {
    const open = () => openCookie(app, 'ben@example.com');
    const [here, other, third] = [await open(), await open(), await open()];
    const person = graphClient(app, asOwn(here.headers));
    const id = nodeId(`Session:${other.sessionId}`);
    expect(
      await person.data('mutation ($id: ID!) { endSession(id: $id) { ended } }', { id }),
    ).toEqual({ endSession: { ended: 1 } });
    expect(await person.data('mutation { endSessions(keepCurrent: true) { ended } }')).toEqual({
      endSessions: { ended: 1 },
    });
    const own = new TestClient(app).as(asOwn(here.headers));
    expect((await own.get('/api/auth/sessions')).body).toMatchObject({ total: 1 });
    expect((await own.as(third.headers).get('/api/auth/me')).status).toBe(401);
    const { audit } = await admin.data<{ audit: object }>(
      `query ($who: String) { audit(first: 2, actorId: $who, action: "session.*") {
      nodes { action target { targetId } actor { kind actorId } requestId } } }`,
      { who: here.userId },
    );
    const actor = { kind: 'user', actorId: here.userId };
    expect(audit).toMatchObject({
      nodes: [
        { action: 'session.revoked_all', target: { targetId: here.userId } },
        { action: 'session.revoked', target: { targetId: other.sessionId }, actor },
      ],
    });
  });
});

describe('an admin', () => {
  interface Opened {
    createIncident: { incident: { id: string; incidentId: string } };
  }
  const open = (name: string) =>
    admin.data<Opened>(
      `mutation ($input: CreateIncidentInput!) { createIncident(input: $input) { incident {
      id incidentId name status impact components { componentId } updates { body } } } }`,
      {
        input: {
          name,
          body: 'We look into it.',
          components: [{ componentId: 'database', status: 'partial_outage' }],
        },
      },
    );

  test('opens, updates and resolves an incident', async () => {
    const { incident } = (await open('Slow')).createIncident;
    const { id, incidentId } = incident;
    expect(incident).toMatchObject({
      name: 'Slow',
      status: 'investigating',
      impact: 'major',
      components: [{ componentId: 'database' }],
      updates: [{ body: 'We look into it.' }],
    });
    const updated = await admin.data(
      `mutation ($id: ID!) { updateIncident(
      input: { id: $id, status: identified, body: "A disk is full." }) { incident { status } } }`,
      { id },
    );
    expect(updated).toEqual({ updateIncident: { incident: { status: 'identified' } } });
    expect((await rest.get('/api/status')).body).toMatchObject({
      incidents: [{ id: incidentId, status: 'identified' }],
    });
    const incidents = '{ status { incidents { incidentId components { componentId status } } } }';
    expect(await stranger.data(incidents)).toMatchObject({
      status: { incidents: [{ incidentId, components: [{ componentId: 'database' }] }] },
    });
    const resolved = await admin.data(
      `mutation ($id: ID!) { resolveIncident(id: $id, body: "Over.") {
      incident { status resolvedAt updates { body } } } }`,
      { id },
    );
    const updates = [{ body: 'Over.' }, { body: 'A disk is full.' }, { body: 'We look into it.' }];
    expect(resolved).toMatchObject({
      resolveIncident: { incident: { status: 'resolved', updates } },
    });
    const node = 'query ($id: ID!) { node(id: $id) { ... on Incident { name status } } }';
    expect(await stranger.data(node, { id })).toEqual({
      node: { name: 'Slow', status: 'resolved' },
    });
    const { body } = await rest.get<{ data: { target: { id: string } }[] }>(
      '/api/v1/audit?action=status.*',
    );
    expect(body.data.filter(({ target }) => target.id === incidentId)).toHaveLength(3);
  });

  test('gets the same validation errors as from the REST API', async () => {
    const empty = await ask(
      app,
      `mutation { createIncident(input: { name: "", body: "x", status: resolved }) {
      incident { id } } }`,
      { headers: asAdmin },
    );
    expect(empty.data ?? null).toBeNull();
    expect(empty.errors).toMatchObject([
      {
        path: ['createIncident'],
        extensions: {
          code: 'request.validation',
          status: 422,
          errors: [{ loc: ['body', 'name'] }, { loc: ['body', 'status'] }],
        },
      },
    ]);
    const resolve = (id: string) =>
      admin.codes(
        'mutation ($id: ID!) { resolveIncident(id: $id, body: "x") { incident { id } } }',
        { id: nodeId(id) },
      );
    expect(await resolve('Incident:0190a000-0000-7000-8000-000000000000')).toEqual([
      'status.incident_not_found',
    ]);
    expect(await resolve('Incident:\0')).toEqual(['request.validation']);
  });

  test('pages through incidents, newest first, each exactly once', async () => {
    for (let at = 0; at < 4; at += 1) await open(`Page ${at}`);
    const names: string[] = [];
    let after: string | null = null;
    for (let turn = 0; turn < 10; turn += 1) {
      const page: Incidents = await stranger.data<Incidents>(
        `query ($after: String) { incidents(first: 2, after: $after) { nodes { id name }
        edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
        { after },
      );
      const { nodes, edges, pageInfo } = page.incidents;
      names.push(...nodes.map(({ name }) => name));
      expect(pageInfo).toMatchObject({
        hasPreviousPage: after !== null,
        startCursor: edges[0]?.cursor,
        endCursor: edges.at(-1)?.cursor,
      });
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) break;
    }
    expect(names).toEqual(['Page 3', 'Page 2', 'Page 1', 'Page 0', 'Slow']);
    expect(await stranger.data('{ incidents(status: resolved) { nodes { name } } }')).toEqual({
      incidents: { nodes: [{ name: 'Slow' }] },
    });
  });

  test.each([
    ['incidents(after: "bm90aGluZw") { nodes { id } }', 'graphql.cursor'],
    ['incidents(first: 101) { nodes { id } }', 'request.validation'],
    ['incidents(first: 0) { nodes { id } }', 'request.validation'],
    ['audit(action: "nothing") { nodes { id } }', 'request.validation'],
    ['audit(after: "x") { nodes { id } }', 'request.validation'],
  ])('gets for the list %s the error %s', async (field, code) => {
    expect(await admin.codes(`{ ${field} }`)).toEqual([code]);
  });

  test('creates, lists and revokes API keys; the key itself is shown only once', async () => {
    const { createApiKey } = await admin.data<{
      createApiKey: { key: string; apiKey: { id: string; keyId: string } };
    }>(
      `mutation { createApiKey(input: { name: "for a test", scopes: [ANALYTICS_READ] }) {
      key apiKey { id keyId scopes revokedAt } } }`,
    );
    const { key, apiKey } = createApiKey;
    expect(apiKey).toMatchObject({ scopes: ['ANALYTICS_READ'], revokedAt: null });
    const reader = { authorization: `Bearer ${key}` };
    expect(await graphClient(app, reader).data('{ sites { siteId } }')).toHaveProperty('sites');
    const listed = await admin.data(
      `{ apiKeys(first: 1) { totalCount nodes { id keyId name hint }
      pageInfo { hasNextPage endCursor } } }`,
    );
    const { id, keyId } = apiKey;
    expect(listed).toMatchObject({
      apiKeys: {
        totalCount: 1,
        nodes: [{ id, keyId, name: 'for a test' }],
        pageInfo: { hasNextPage: false },
      },
    });
    expect(JSON.stringify(listed)).not.toContain(key);
    const revoke = 'mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { revokedAt } } }';
    for (let time = 0; time < 2; time += 1)
      expect(await admin.data(revoke, { id })).toMatchObject({
        revokeApiKey: { apiKey: { revokedAt: expect.any(String) as string } },
      });
    expect((await ask(app, '{ hello }', { headers: reader })).status).toBe(401);
  });

  test.each([
    ['scopes: []', 'request.validation'],
    ['scopes: [ADMIN], expiresAt: "2020-01-01T00:00:00Z"', 'api_keys.expiry_past'],
  ])('gets for an API key with %s the error %s', async (input, code) => {
    expect(
      await admin.codes(`mutation { createApiKey(input: { name: "x", ${input} }) { key } }`),
    ).toEqual([code]);
  });

  test('pages through the audit log, which names the acting API key', async () => {
    interface Audit {
      audit: Connection<{ eventId: string }>;
    }
    const first = await admin.data<Audit>(
      `{ audit(first: 3) { nodes { eventId action at details
      actor { kind actorId apiKey { name } } } pageInfo { hasNextPage endCursor } } }`,
    );
    const { nodes, pageInfo } = first.audit;
    expect(nodes).toHaveLength(3);
    expect(pageInfo.hasNextPage).toBe(true);
    const second = await admin.data<Audit>(
      'query ($after: String) { audit(first: 3, after: $after) { nodes { eventId } } }',
      { after: pageInfo.endCursor },
    );
    const { body } = await rest.get<{ data: { id: string }[] }>('/api/v1/audit?limit=6');
    expect([...nodes, ...second.audit.nodes].map(({ eventId }) => eventId)).toEqual(
      body.data.map(({ id }) => id),
    );
    expect(
      await admin.codes('query ($t: DateTime) { audit(since: $t) { nodes { id } } }', {
        t: 'yesterday',
      }),
    ).toEqual(['graphql.variables']);
  });
});

describe('a caller with analytics:read', () => {
  test('gets the same figures as from the REST API', async () => {
    const events = ['/', '/a', '/a'].map((pathname) => ({
      event: 'pageview',
      url: `https://shop.example${pathname}`,
      site_id: 'shop',
    }));
    await new TestClient(app).as({ 'user-agent': chrome }).post('/analytics/batch', { events });
    await app.applied();
    const { dashboard, sites } = await admin.data<{ dashboard: object; sites: { id: string }[] }>(
      `{ sites { id siteId events }
      dashboard(siteId: "shop", period: LAST_7_DAYS, compare: previous, limit: 2,
        filters: ["page:is_not:/nowhere"]) {
        siteId period { name from to timezone interval }
        totals { visitors visits pageviews events bounceRate } compared { totals { events } }
        change { events } series { start pageviews } pages { value pageviews }
        operatingSystems { value visits }
        leftOut { botEvents dropped { reason events } } } }`,
    );
    const { body: view } = await rest.get<{
      totals: Record<'visitors' | 'visits' | 'pageviews' | 'events' | 'bounce_rate', number>;
      series: { start: string; pageviews: number }[];
    }>('/analytics/dashboard?site_id=shop&period=7d&limit=2');
    const { visitors, visits, pageviews, events: count, bounce_rate: bounceRate } = view.totals;
    expect(dashboard).toMatchObject({
      siteId: 'shop',
      totals: { visitors, visits, pageviews, events: count, bounceRate },
      series: view.series.map(({ start, pageviews: views }) => ({ start, pageviews: views })),
      pages: [
        { value: '/a', pageviews: 2 },
        { value: '/', pageviews: 1 },
      ],
      compared: { totals: { events: 0 } },
      change: { events: null },
      operatingSystems: [{ value: 'Windows', visits: 1 }],
      leftOut: { botEvents: 0 },
    });
    expect(sites).toMatchObject([{ siteId: 'shop', events: 3 }]);
    const node = 'query ($id: ID!) { node(id: $id) { ... on Site { siteId } } }';
    expect(await admin.data(node, { id: sites[0]?.id })).toEqual({ node: { siteId: 'shop' } });
  });

  test.each([
    ['siteId: "none"', 'analytics.site_unknown'],
    ['siteId: "shop", period: CUSTOM', 'request.validation'],
    ['siteId: "shop", timezone: "Mars"', 'request.validation'],
    ['siteId: "shop", limit: 1001', 'request.validation'],
    ['siteId: "shop", filters: ["x"]', 'request.validation'],
    ['siteId: ""', 'request.validation'],
  ])('gets for the dashboard with %s the error %s', async (parameters, code) => {
    expect(await admin.codes(`{ dashboard(${parameters}) { siteId } }`)).toEqual([code]);
  });
});

test('no request above logs an error', () => {
  expect(errorsIn(app.log())).toEqual([]);
});

test('an internal failure exposes only its code, and is logged with the request id', async () => {
  await app.stores.db.destroy();
  const answer = await ask(app, '{ hello apiKeys { totalCount } }', { headers: asAdmin });
  expect(answer.status).toBe(200);
  expect(answer.data ?? null).toBeNull();
  expect(answer.errors).toMatchObject([{ path: ['apiKeys'] }]);
  const [{ message, extensions } = { message: '', extensions: { code: '', status: 0 } }] =
    answer.errors;
  expect([
    ['internal', 500],
    ['request.unavailable', 503],
  ]).toContainEqual([extensions.code, extensions.status]);
  expect(message).not.toMatch(/driver|destroy|sql|select/i);
  expect(Object.keys(extensions).sort()).toEqual(['code', 'request_id', 'status']);
  const logged = app
    .log()
    .split('\n')
    .filter((line) => line.includes('a field failed'));
  expect(logged.join('\n')).toContain(String(extensions.request_id));
});
