import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asAdmin, browser as chrome, freshApp, type FreshApp } from '../../support/app.ts';
import { clearedOn } from '../../support/devices.ts';
import { type Answer, ask, codesOf } from './graphql-client.ts';
import { openCookie } from '../../support/sign-in.ts';

let app: FreshApp;
beforeAll(async () => {
  app = await freshApp();
});
afterAll(() => app.close());

const asOwn = (headers: Record<string, string>) => ({
  host: 'localhost:80',
  origin: 'http://localhost:80',
  ...headers,
});
const rest = async <T>(url: string, headers: Record<string, string> = {}): Promise<T> =>
  (await app.http.inject({ url, headers })).json<T>();
interface Page {
  nodes: { id: string; name: string }[];
  edges: { cursor: string }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}
const pageOf = ({ data }: Answer, field: string) => (data as Record<string, Page>)[field]!;

describe('a person', () => {
  test('queries the viewer, sessions and devices as in REST, and finds them by id', async () => {
    const { browser, deviceId, sessionId } = await clearedOn(app, { email: 'ana@example.com' });
    const headers = asOwn({
      cookie: [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; '),
      'user-agent': browser.userAgent,
    });
    const { data, errors } = await ask(
      app,
      `{ viewer { id userId email emailVerified roles acr authTime
      sessions { id sessionId current via createdAt device { deviceId name } }
      devices { id deviceId state binding current firstSeen } } }`,
      { headers },
    );
    expect(errors).toEqual([]);
    const me = await rest<Record<string, unknown>>('/api/auth/me', headers);
    const viewer = (
      data as { viewer: { id: string; sessions: { id: string }[]; devices: { id: string }[] } }
    ).viewer;
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
    const [session, device] = [viewer.sessions[0]?.id ?? '', viewer.devices[0]?.id ?? ''];
    const again = await ask(
      app,
      'query ($s: ID!, $d: ID!, $v: ID!) { s: node(id: $s) { id ... on Session { sessionId } ' +
        '} d: node(id: $d) { ... on Device { deviceId } } v: node(id: $v) { __typename id } }',
      { headers, variables: { s: session, d: device, v: viewer.id } },
    );
    expect(again.data).toEqual({
      s: { id: session, sessionId },
      d: { deviceId },
      v: { __typename: 'Viewer', id: viewer.id },
    });
  });

  test('ends one session, and all but the current one; both are in the audit log', async () => {
    const [here, other, third] = [
      await openCookie(app, 'ben@example.com'),
      await openCookie(app, 'ben@example.com'),
      await openCookie(app, 'ben@example.com'),
    ];
    const headers = asOwn(here.headers);
    const id = Buffer.from(`Session:${other.sessionId}`).toString('base64url');
    expect(
      (
        await ask(app, 'mutation ($id: ID!) { endSession(id: $id) { ended } }', {
          headers,
          variables: { id },
        })
      ).data,
    ).toEqual({ endSession: { ended: 1 } });
    expect(
      (await ask(app, 'mutation { endSessions(keepCurrent: true) { ended } }', { headers })).data,
    ).toEqual({ endSessions: { ended: 1 } });
    expect((await rest<{ total: number }>('/api/auth/sessions', headers)).total).toBe(1);
    expect(
      (await app.http.inject({ url: '/api/auth/me', headers: asOwn(third.headers) })).statusCode,
    ).toBe(401);
    const { data } = await ask(
      app,
      'query ($who: String) { audit(first: 2, actorId: $who, action: "session.*") { nodes { ' +
        'action target { targetId } actor { kind actorId } requestId } } }',
      { headers: asAdmin, variables: { who: here.userId } },
    );
    expect((data as { audit: { nodes: object[] } }).audit.nodes).toMatchObject([
      { action: 'session.revoked_all', target: { targetId: here.userId } },
      {
        action: 'session.revoked',
        target: { targetId: other.sessionId },
        actor: { kind: 'user', actorId: here.userId },
      },
    ]);
  });
});

describe('an admin', () => {
  const open = (name: string) =>
    ask(
      app,
      'mutation ($input: CreateIncidentInput!) { createIncident(input: $input) { incident { ' +
        'id incidentId name status impact components { componentId } updates { body } } } }',
      {
        headers: asAdmin,
        variables: {
          input: {
            name,
            body: 'We look into it.',
            components: [{ componentId: 'database', status: 'partial_outage' }],
          },
        },
      },
    );

  test('opens, updates and resolves an incident', async () => {
    const opened = (await open('Slow')).data as {
      createIncident: { incident: { id: string; incidentId: string } };
    };
    const { id, incidentId } = opened.createIncident.incident;
    expect(opened.createIncident.incident).toMatchObject({
      name: 'Slow',
      status: 'investigating',
      impact: 'major',
      components: [{ componentId: 'database' }],
      updates: [{ body: 'We look into it.' }],
    });
    const updated = await ask(
      app,
      'mutation ($id: ID!) { updateIncident(input: { id: $id, status: identified, body: "A ' +
        'disk is full." }) { incident { status } } }',
      { headers: asAdmin, variables: { id } },
    );
    expect(updated.data).toEqual({ updateIncident: { incident: { status: 'identified' } } });
    expect(await rest('/api/status')).toMatchObject({
      incidents: [{ id: incidentId, status: 'identified' }],
    });
    expect(
      (await ask(app, '{ status { incidents { incidentId components { componentId status } } } }'))
        .data,
    ).toMatchObject({
      status: { incidents: [{ incidentId, components: [{ componentId: 'database' }] }] },
    });
    expect(
      (
        await ask(
          app,
          'mutation ($id: ID!) { resolveIncident(id: $id, body: "Over.") { incident { status ' +
            'resolvedAt updates { body } } } }',
          { headers: asAdmin, variables: { id } },
        )
      ).data,
    ).toMatchObject({
      resolveIncident: {
        incident: {
          status: 'resolved',
          updates: [{ body: 'Over.' }, { body: 'A disk is full.' }, { body: 'We look into it.' }],
        },
      },
    });
    expect(
      (
        await ask(app, 'query ($id: ID!) { node(id: $id) { ... on Incident { name status } } }', {
          variables: { id },
        })
      ).data,
    ).toEqual({ node: { name: 'Slow', status: 'resolved' } });
    const { data } = await rest<{ data: { action: string; target: { id: string } }[] }>(
      '/api/v1/audit?action=status.*',
      asAdmin,
    );
    expect(data.filter(({ target }) => target.id === incidentId).length).toBe(3);
  });

  test('gets the same validation errors as from the REST API', async () => {
    const empty = await ask(
      app,
      'mutation { createIncident(input: { name: "", body: "x", status: resolved }) { incident ' +
        '{ id } } }',
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
    const unknown = await ask(
      app,
      `mutation { resolveIncident(id: "${Buffer.from(
        'Incident:0190a000-0000-7000-8000-000000000000',
      ).toString('base64url')}", body: "x") { incident { id } } }`,
      { headers: asAdmin },
    );
    expect(codesOf(unknown)).toEqual(['status.incident_not_found']);
    const odd = await ask(
      app,
      `mutation { resolveIncident(id: "${Buffer.from('Incident:\0').toString(
        'base64url',
      )}", body: "x") { incident { id } } }`,
      { headers: asAdmin },
    );
    expect(codesOf(odd)).toEqual(['request.validation']);
  });

  test('pages through incidents, newest first, each exactly once', async () => {
    for (let at = 0; at < 4; at += 1) await open(`Page ${at}`);
    const names: string[] = [];
    let after: string | null = null;
    for (let turn = 0; turn < 10; turn += 1) {
      const answer: Answer = await ask(
        app,
        'query ($after: String) { incidents(first: 2, after: $after) { nodes { id name } ' +
          'edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }',
        { variables: { after } },
      );
      const { nodes, edges, pageInfo } = pageOf(answer, 'incidents');
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
    expect(codesOf(await ask(app, '{ incidents(after: "bm90aGluZw") { nodes { id } } }'))).toEqual([
      'graphql.cursor',
    ]);
    expect(codesOf(await ask(app, '{ incidents(first: 101) { nodes { id } } }'))).toEqual([
      'request.validation',
    ]);
    expect(codesOf(await ask(app, '{ incidents(first: 0) { nodes { id } } }'))).toEqual([
      'request.validation',
    ]);
    expect(
      pageOf(
        await ask(app, '{ incidents(status: resolved) { nodes { id name } } }'),
        'incidents',
      ).nodes.map(({ name }) => name),
    ).toEqual(['Slow']);
  });

  test('creates, lists and revokes API keys; the key itself is shown only once', async () => {
    const made = await ask(
      app,
      'mutation { createApiKey(input: { name: "for a test", scopes: [ANALYTICS_READ] }) { key ' +
        'apiKey { id keyId scopes revokedAt } } }',
      { headers: asAdmin },
    );
    const {
      key,
      apiKey: { id, keyId },
    } = (made.data as { createApiKey: { key: string; apiKey: { id: string; keyId: string } } })
      .createApiKey;
    expect(made.data).toMatchObject({
      createApiKey: { apiKey: { scopes: ['ANALYTICS_READ'], revokedAt: null } },
    });
    expect(
      (await ask(app, '{ sites { siteId } }', { headers: { authorization: `Bearer ${key}` } }))
        .errors,
    ).toEqual([]);
    const listed = await ask(
      app,
      '{ apiKeys(first: 1) { totalCount nodes { id keyId name hint } pageInfo { hasNextPage ' +
        'endCursor } } }',
      { headers: asAdmin },
    );
    expect(listed.data).toMatchObject({
      apiKeys: {
        totalCount: 1,
        nodes: [{ id, keyId, name: 'for a test' }],
        pageInfo: { hasNextPage: false },
      },
    });
    expect(JSON.stringify(listed)).not.toContain(key);
    for (let time = 0; time < 2; time += 1) {
      const revoked = await ask(
        app,
        'mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { revokedAt } } }',
        { headers: asAdmin, variables: { id } },
      );
      expect(revoked.data).toMatchObject({
        revokeApiKey: { apiKey: { revokedAt: expect.any(String) as string } },
      });
    }
    expect(
      (await ask(app, '{ hello }', { headers: { authorization: `Bearer ${key}` } })).status,
    ).toBe(401);
    expect(
      codesOf(
        await ask(app, 'mutation { createApiKey(input: { name: "x", scopes: [] }) { key } }', {
          headers: asAdmin,
        }),
      ),
    ).toEqual(['request.validation']);
    expect(
      codesOf(
        await ask(
          app,
          'mutation { createApiKey(input: { name: "x", scopes: [ADMIN], expiresAt: ' +
            '"2020-01-01T00:00:00Z" }) { key } }',
          { headers: asAdmin },
        ),
      ),
    ).toEqual(['api_keys.expiry_past']);
  });

  test('pages through the audit log, which names the acting API key', async () => {
    const first = await ask(
      app,
      '{ audit(first: 3) { nodes { eventId action at details actor { kind actorId apiKey { ' +
        'name } } } pageInfo { hasNextPage endCursor } } }',
      { headers: asAdmin },
    );
    const { pageInfo, nodes } = (
      first.data as { audit: { pageInfo: Page['pageInfo']; nodes: { eventId: string }[] } }
    ).audit;
    expect(first.errors).toEqual([]);
    expect({ length: nodes.length, hasNextPage: pageInfo.hasNextPage }).toEqual({
      length: 3,
      hasNextPage: true,
    });
    const second = await ask(
      app,
      'query ($after: String) { audit(first: 3, after: $after) { nodes { eventId } } }',
      { headers: asAdmin, variables: { after: pageInfo.endCursor } },
    );
    const { data } = await rest<{ data: { id: string }[] }>('/api/v1/audit?limit=6', asAdmin);
    expect(
      [...nodes, ...(second.data as { audit: { nodes: { eventId: string }[] } }).audit.nodes].map(
        ({ eventId }) => eventId,
      ),
    ).toEqual(data.map(({ id }) => id));
    expect(
      codesOf(
        await ask(app, '{ audit(action: "nothing") { nodes { id } } }', { headers: asAdmin }),
      ),
    ).toEqual(['request.validation']);
    expect(
      codesOf(await ask(app, '{ audit(after: "x") { nodes { id } } }', { headers: asAdmin })),
    ).toEqual(['request.validation']);
    expect(
      codesOf(
        await ask(app, 'query ($t: DateTime) { audit(since: $t) { nodes { id } } }', {
          headers: asAdmin,
          variables: { t: 'yesterday' },
        }),
      ),
    ).toEqual(['graphql.variables']);
  });
});

describe('a caller with analytics:read', () => {
  test('gets the same figures as from the REST API', async () => {
    const event = (pathname: string) => ({
      event: 'pageview',
      url: `https://shop.example${pathname}`,
      site_id: 'shop',
    });
    await app.http.inject({
      method: 'POST',
      url: '/analytics/batch',
      headers: { 'user-agent': chrome },
      payload: { events: ['/', '/a', '/a'].map(event) },
    });
    await app.applied();
    const { data, errors } = await ask(
      app,
      `{ sites { id siteId events }
      dashboard(siteId: "shop", period: LAST_7_DAYS, compare: previous, limit: 2,
        filters: ["page:is_not:/nowhere"]) {
        siteId period { name from to timezone interval }
        totals { visitors visits pageviews events bounceRate } compared { totals { events } }
        change { events } series { start pageviews } pages { value pageviews }
        operatingSystems { value visits }
        leftOut { botEvents dropped { reason events } } } }`,
      { headers: asAdmin },
    );
    expect(errors).toEqual([]);
    const { dashboard, sites } = data as {
      dashboard: {
        siteId: string;
        totals: object;
        series: object[];
        pages: object[];
        operatingSystems: object[];
      };
      sites: { id: string }[];
    };
    const view = await rest<{
      totals: {
        visitors: number;
        visits: number;
        pageviews: number;
        events: number;
        bounce_rate: number;
      };
      series: { start: string; pageviews: number }[];
      pages: object[];
    }>('/analytics/dashboard?site_id=shop&period=7d&limit=2', asAdmin);
    const { visitors, visits, pageviews, events, bounce_rate: bounceRate } = view.totals;
    expect(dashboard).toMatchObject({
      siteId: 'shop',
      totals: { visitors, visits, pageviews, events, bounceRate },
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
    expect(
      (
        await ask(app, 'query ($id: ID!) { node(id: $id) { ... on Site { siteId } } }', {
          headers: asAdmin,
          variables: { id: sites[0]?.id },
        })
      ).data,
    ).toEqual({ node: { siteId: 'shop' } });
  });

  test.each([
    ['dashboard(siteId: "none") { siteId }', 'analytics.site_unknown'],
    ['dashboard(siteId: "shop", period: CUSTOM) { siteId }', 'request.validation'],
    ['dashboard(siteId: "shop", timezone: "Mars") { siteId }', 'request.validation'],
    ['dashboard(siteId: "shop", limit: 1001) { siteId }', 'request.validation'],
    ['dashboard(siteId: "shop", filters: ["x"]) { siteId }', 'request.validation'],
    ['dashboard(siteId: "") { siteId }', 'request.validation'],
  ])('gets for %s the error %s', async (field, code) => {
    expect(codesOf(await ask(app, `{ ${field} }`, { headers: asAdmin }))).toEqual([code]);
  });
});

test('no request above logs an error', () => {
  expect(
    app
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":"error"')),
  ).toEqual([]);
});

test('an internal failure exposes only its code, and is logged with the request id', async () => {
  await app.stores.db.destroy();
  const answer = await ask(app, '{ hello apiKeys { totalCount } }', { headers: asAdmin });
  expect({
    status: answer.status,
    data: answer.data ?? null,
    length: answer.errors.length,
  }).toEqual({ status: 200, data: null, length: 1 });
  const [{ message, path, extensions } = { message: '', extensions: { code: '', status: 0 } }] =
    answer.errors;
  expect(path).toEqual(['apiKeys']);
  expect([
    ['internal', 500],
    ['request.unavailable', 503],
  ]).toContainEqual([extensions.code, extensions.status]);
  expect(message).not.toMatch(/driver|destroy|sql|select/i);
  expect(Object.keys(extensions).sort()).toEqual(['code', 'request_id', 'status']);
  expect(
    app
      .log()
      .split('\n')
      .some(
        (line) => line.includes('a field failed') && line.includes(String(extensions.request_id)),
      ),
  ).toBe(true);
});
