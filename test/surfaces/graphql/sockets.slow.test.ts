import { systemActor } from '../../../src/platform/http/requests/request-actor.ts';
import { type Client, createClient } from 'graphql-ws';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { browser as chrome, freshApp, type FreshApp } from '../../support/app.ts';
import { errorsIn } from '../../support/log.ts';
import { clearedOn, createDeviceBrowser } from '../../support/devices.ts';
import { listen } from '../../support/sockets.ts';
import { openBearer, openCookie } from '../../support/sign-in.ts';
import { TestClient } from '../../support/client.ts';
import { cookieOf } from './graphql-client.ts';

const app = await freshApp();
const port = await listen(app);

const urlOf = () => `ws://127.0.0.1:${port}/api/graphql/`;

interface Message {
  id?: string;
  type: string;
  payload?: unknown;
}

/** A raw socket, without a client library. */
function raw({
  headers = {},
  protocols = ['graphql-transport-ws'],
  url = urlOf(),
}: { headers?: Record<string, string>; protocols?: string[]; url?: string } = {}) {
  const socket = new WebSocket(url, protocols, { headers });
  const messages: Message[] = [];
  let closed: [code: number, reason: string] | undefined;
  let refusal: number | undefined;
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as Message));
  socket.on('close', (code, reason) => void (closed = [code, reason.toString()]));
  socket.on('unexpected-response', (_request, response) => {
    refusal = response.statusCode;
    socket.terminate();
  });
  socket.on('error', () => undefined);
  onTestFinished(() => socket.terminate());
  const until = <T>(found: () => T | undefined) =>
    expect
      .poll(found, { timeout: 8000, interval: 10 })
      .toBeDefined()
      .then(() => found() as T);
  return {
    socket,
    messages,
    until,
    send: (message: object | string) =>
      socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    opened: () => until(() => (socket.readyState === WebSocket.OPEN ? true : undefined)),
    of: (type: string) => messages.filter((message) => message.type === type),
    first: (type: string) => until(() => messages.find((message) => message.type === type)),
    end: () => until(() => closed),
    refused: () => until(() => refusal),
    async begin(payload?: object) {
      await this.opened();
      this.send({ type: 'connection_init', ...(payload === undefined ? {} : { payload }) });
      return this.first('connection_ack');
    },
    subscribe(id: string, query: string, variables?: object) {
      this.send({ id, type: 'subscribe', payload: { query, variables } });
    },
  };
}

/** The official client. */
function official(
  headers: Record<string, string> = {},
  options: Partial<Parameters<typeof createClient>[0]> = {},
): Client {
  class WithHeaders extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { headers });
    }
  }
  const client = createClient({
    url: urlOf(),
    webSocketImpl: WithHeaders,
    retryAttempts: 0,
    ...options,
  });
  onTestFinished(async () => {
    await client.dispose();
  });
  return client;
}

function collect(client: Client, query: string, variables?: Record<string, unknown>) {
  const received: unknown[] = [];
  let failed: unknown;
  let isOver = false;
  const end = client.subscribe(
    { query, variables },
    {
      next: (value) => received.push(value),
      error: (error) => void (failed = error),
      complete: () => void (isOver = true),
    },
  );
  return { received, end, failed: () => failed, isOver: () => isOver };
}

const incident = (name: string) => {
  const components = [{ id: 'database', status: 'degraded_performance' as const }];
  return app.services.status.incidents.create(
    { name, status: 'investigating', body: 'x', components },
    systemActor,
  );
};
const changeComponent = () =>
  app.services.bus.publish('status', {
    type: 'component.updated',
    data: app.services.status.summary().components[0],
  });
const publishSession = (userId: string) =>
  app.services.bus.publish(`svc:${userId}`, {
    type: 'session.revoked',
    data: { session_id: null, count: 1 },
  });
const publishVisitors = (site: string) =>
  app.services.bus.publish(`analytics:${site}`, { type: 'visitors.active', data: { visitors: 1 } });
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const subscribers = async () => (await app.services.bus.listeners(['status']))[0];
const withKey = async (key: Parameters<FreshApp['services']['apiKeys']['create']>[0]) => ({
  authorization: `Bearer ${(await app.services.apiKeys.create(key)).key}`,
});
const statusQuery =
  'subscription { statusChanged { __typename eventId time type ... on IncidentChanged { ' +
  'incident { id name status components { componentId } updates { body } } } ... on ' +
  'ComponentChanged { component { componentId status } } } }';

/** Repeats an action until the subscription is active: earlier events are not received. */
async function publishUntilReceived(received: unknown[], publish: () => unknown) {
  await expect
    .poll(
      async () => {
        await publish();
        return received.length;
      },
      { timeout: 8000, interval: 50 },
    )
    .toBeGreaterThan(0);
}

describe('a subscription by the official client', () => {
  test('receives changes of the status page as types of the schema, until it ends', async () => {
    const { received, end, isOver, failed } = collect(official(), statusQuery);
    await publishUntilReceived(received, changeComponent);
    const component = { componentId: expect.any(String) as string };
    const changed = { __typename: 'ComponentChanged', type: 'component.updated', component };
    expect(received[0]).toMatchObject({ data: { statusChanged: changed } });
    await incident('Heard');
    await expect.poll(() => JSON.stringify(received)).toContain('"name":"Heard"');
    const heard = received.find((each) => JSON.stringify(each).includes('Heard'));
    const components = [{ componentId: 'database' }];
    const opened = { status: 'investigating', components, updates: [{ body: 'x' }] };
    const created = { __typename: 'IncidentChanged', type: 'incident.created', incident: opened };
    expect(heard).toMatchObject({ data: { statusChanged: created } });
    end();
    await expect.poll(isOver).toBe(true);
    expect(failed()).toBeUndefined();
    const count = received.length;
    await incident('Not heard');
    expect(received.length).toBe(count);
  });

  test('to incidents receives nothing else', async () => {
    const { received } = collect(
      official(),
      'subscription { incidentChanged { type incident { name } } }',
    );
    await publishUntilReceived(received, () => incident('Once'));
    await changeComponent();
    await incident('Last');
    await expect.poll(() => JSON.stringify(received.at(-1))).toContain('Last');
    expect(JSON.stringify(received)).not.toContain('component');
  });

  test('receives the events of a site, with analytics:read', async () => {
    const key = await app.services.apiKeys.create({ name: 'reads', scopes: ['analytics:read'] });
    const { received } = collect(
      official({}, { connectionParams: { authorization: `Bearer ${key.key}` } }),
      'subscription ($site: String!) { siteActivity(siteId: $site) { __typename ... on ' +
        'SiteEventStored { event pathname bot skipped } ... on SiteCounters { events pageviews ' +
        '} } }',
      { site: 'live' },
    );
    const visitor = new TestClient(app).as({ 'user-agent': chrome });
    const event = { event: 'pageview', url: '/here', site_id: 'live' };
    await publishUntilReceived(received, () => visitor.post('/analytics/track', event));
    await expect.poll(() => JSON.stringify(received)).toContain('SiteCounters');
    const stored = received.find((each) => JSON.stringify(each).includes('SiteEventStored'));
    expect(stored).toMatchObject({
      data: { siteActivity: { event: 'pageview', pathname: '/here', bot: false } },
    });
  });

  test('receives changes of own devices and sessions', async () => {
    const { browser, deviceId } = await clearedOn(app, { email: 'owner@example.com' });
    const other = await openCookie(app, 'owner@example.com');
    const { received, failed } = collect(
      official({ cookie: cookieOf(browser) }),
      'subscription { viewerChanged { __typename ... on SessionsEnded { sessionId count } ... ' +
        'on DeviceChanged { deviceId state name } } }',
    );
    await publishUntilReceived(received, () => publishSession(browser.self.userId));
    await app.services.sessions.end(other.userId, other.sessionId);
    const viewerChanged = { __typename: 'SessionsEnded', sessionId: other.sessionId, count: 1 };
    await expect.poll(() => received.at(-1)).toEqual({ data: { viewerChanged } });
    await browser.call(`/api/auth/blackops/devices/${deviceId}/suspend`, { method: 'POST' });
    await expect
      .poll(() => received.at(-1))
      .toMatchObject({
        data: { viewerChanged: { __typename: 'DeviceChanged', deviceId, state: 'suspended' } },
      });
    expect(failed()).toBeUndefined();
  });
});

describe('a refused subscription', () => {
  const [viewer, site] = ['{ viewerChanged { time } }', '{ siteActivity(siteId: "x") { time } }'];
  const oddSite = '{ siteActivity(siteId: "a b{}") { time } }';
  const nobody = async () => ({});
  const person = async () => (await openCookie(app, 'plain@example.com')).headers;
  const writer = () => withKey({ name: 'w', scopes: ['analytics:write'] });
  const adminKey = () => withKey({ name: 'a', scopes: ['admin'] });
  const uncleared = async () => {
    const device = createDeviceBrowser(app);
    await device.signIn({ email: 'uncleared@example.com', roles: ['admin'] });
    return { cookie: cookieOf(device) };
  };
  const cleared = async () => ({
    cookie: cookieOf((await clearedOn(app, { email: 'boss@example.com' })).browser),
  });

  test.each<[string, () => Promise<Record<string, string>>, string, string, number]>([
    ['nobody', nobody, viewer, 'request.unauthenticated', 401],
    ['nobody', nobody, site, 'request.unauthenticated', 401],
    ['a person', person, site, 'request.forbidden', 403],
    ['an admin on no cleared device', uncleared, site, 'blackops.device_not_cleared', 403],
    ['a key that writes events', writer, site, 'request.forbidden', 403],
    ['a key', adminKey, viewer, 'request.unauthenticated', 401],
    ['an admin', cleared, oddSite, 'graphql.not_found', 404],
  ])(
    'of %s gets only an `error` message, with the code of the REST API (%#)',
    async (_who, headers, query, code, status) => {
      const client = raw({ headers: await headers() });
      await client.begin();
      client.subscribe('1', `subscription ${query}`);
      const { payload } = await client.first('error');
      expect(payload).toMatchObject([{ extensions: { code, status } }]);
      expect(client.of('next')).toEqual([]);
      // The socket stays open, and the id can be used again.
      client.subscribe('1', statusQuery);
      await expect.poll(subscribers).toBe(1);
      expect(client.socket.readyState).toBe(WebSocket.OPEN);
    },
  );

  test.each([
    ['{ hello }', 'graphql.needs_http'],
    ['mutation { endSessions { ended } }', 'graphql.needs_http'],
    ['subscription {', 'graphql.syntax'],
    ['subscription { nothing }', 'graphql.validation'],
    ['subscription ($s: String!) { siteActivity(siteId: $s) { time } }', 'graphql.argument'],
    [
      `subscription { ${numbers(31)
        .map((at) => `a${at}: statusChanged { time }`)
        .join(' ')} }`,
      'graphql.too_many_aliases',
    ],
  ])('%s is refused: %s', async (query, code) => {
    const client = raw();
    await client.begin();
    client.subscribe('1', query);
    expect((await client.first('error')).payload).toMatchObject([
      { message: expect.any(String) as string, extensions: { code } },
    ]);
  });

  test('a socket may have fifty subscriptions', async () => {
    const client = raw();
    await client.begin();
    for (let at = 0; at < 51; at += 1)
      client.subscribe(`s${at}`, 'subscription { statusChanged { time } }');
    expect(await client.first('error')).toMatchObject({
      id: 's50',
      payload: [{ extensions: { code: 'graphql.too_many_subscriptions', status: 429 } }],
    });
    expect(client.of('error').length).toBe(1);
  });

  test('the total cost of subscriptions is limited; ended ones do not count', async () => {
    const client = raw();
    await client.begin();
    const updates = numbers(8).map((at) => `a${at}: updates { body status createdAt displayAt }`);
    const costly = `subscription { ${updates
      .map((each) => `incidentChanged { incident { ${each} } }`)
      .join(' ')} }`;
    /** Waits until everything sent so far is handled. */
    const handled = async () => {
      const before = client.of('pong').length;
      client.send({ type: 'ping' });
      await expect.poll(() => client.of('pong').length).toBeGreaterThan(before);
    };
    let begun = 0;
    while (client.of('error').length === 0 && begun < 40) {
      client.subscribe(`s${begun}`, costly);
      begun += 1;
      await expect
        .poll(async () => client.of('error').length + ((await subscribers()) ?? 0))
        .toBeGreaterThan(0);
      await handled();
    }
    const extensions = { code: 'graphql.too_costly', limit: 2000 };
    expect(client.of('error')).toMatchObject([{ id: `s${begun - 1}`, payload: [{ extensions }] }]);
    client.send({ id: 's0', type: 'complete' });
    await handled();
    client.subscribe('again', costly);
    await handled();
    expect(client.of('error')).toHaveLength(1);
  });
});

describe('the protocol closes with', () => {
  const begun = async () => {
    const client = raw();
    await client.begin();
    return client;
  };
  const opened = async () => {
    const client = raw();
    await client.opened();
    return client;
  };

  test.each([
    'nonsense',
    '{"type":"nonsense"}',
    '{}',
    '[]',
    '{"type":"subscribe","id":"1"}',
    '{"type":"next","id":"1","payload":{}}',
    '{"type":"connection_ack"}',
    '{"type":"subscribe","id":"","payload":{"query":"{ hello }"}}',
  ])('4400 for the message %s', async (message) => {
    const client = await begun();
    client.send(message);
    expect((await client.end())[0]).toBe(4400);
  });

  const initialize = (payload?: object) => ({
    type: 'connection_init',
    ...(payload === undefined ? {} : { payload }),
  });
  const subscribing = { id: '1', type: 'subscribe', payload: { query: statusQuery } };
  const long = { query: `# ${'x'.repeat(70_000)}` };

  test.each<[code: number, reason: string, what: string, messages: object[]]>([
    [4401, 'Unauthorized', 'a subscription without connection_init', [subscribing]],
    [4403, 'Forbidden', 'an invalid key', [initialize({ authorization: 'Bearer svc_nonsense' })]],
    [4403, 'Forbidden', 'an invalid token', [initialize({ token: 'svca_nonsense' })]],
    [4403, 'Forbidden', 'no credential', [initialize({ Authorization: 'nonsense' })]],
    [4408, 'Connection initialisation timeout', 'a late connection_init', []],
  ])(
    '%i %s for %s',
    async (code, reason, _what, messages) => {
      const client = await opened();
      for (const message of messages) client.send(message);
      expect(await client.end()).toEqual([code, reason]);
      expect(client.messages).toEqual([]);
    },
    15_000,
  );

  test.each<[code: number, what: string, reason: RegExp, messages: object[]]>([
    [4409, 'an id that is in use', /^Subscriber for 1 already exists$/, [subscribing, subscribing]],
    [4429, 'a second connection_init', /^Too many initialisation requests$/, [initialize()]],
    [1008, 'too many messages', /^/, Array.from({ length: 400 }, () => ({ type: 'ping' }))],
    [1009, 'a message that is too large', /^/, [{ ...subscribing, payload: long }]],
  ])('%i for %s', async (code, _what, reason, messages) => {
    const client = await begun();
    for (const message of messages) client.send(message);
    expect(await client.end()).toEqual([code, expect.stringMatching(reason)]);
  });

  test('4400 for a binary message', async () => {
    const client = await begun();
    client.socket.send(Buffer.from('{"type":"ping"}'), { binary: true });
    expect((await client.end())[0]).toBe(4400);
  });

  test('4406 for another subprotocol', async () => {
    const none = raw({ protocols: [] });
    expect(await none.end()).toEqual([4406, 'Subprotocol not acceptable']);
  });

  test('nothing for valid messages; pings are answered with their payload', async () => {
    const client = await opened();
    client.send({ type: 'ping', payload: { at: 1 } });
    expect(await client.first('pong')).toEqual({ type: 'pong', payload: { at: 1 } });
    client.send({ type: 'pong' });
    await client.begin();
    client.subscribe('1', statusQuery);
    client.send({ type: 'complete', id: '1' });
    client.send({ type: 'complete', id: 'unknown' });
    client.subscribe('1', statusQuery);
    client.send({ type: 'ping' });
    await expect.poll(() => client.of('pong').length).toBe(2);
    expect(client.of('error')).toEqual([]);
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('a handshake', () => {
  test('from a page of another site is refused, with or without a cookie', async () => {
    const { headers } = await openCookie(app, 'page@example.com');
    for (const more of [headers, {}])
      for (const origin of ['https://evil.example', 'null'])
        expect(await raw({ headers: { ...more, origin } }).refused()).toBe(403);
  });

  test('from our own page is accepted, with and without a trailing slash', async () => {
    for (const url of [urlOf(), urlOf().replace(/\/$/, '')])
      await raw({ url, headers: { origin: `http://127.0.0.1:${port}` } }).begin();
  });

  test('with an invalid token is refused', async () => {
    expect(await raw({ headers: { authorization: 'Bearer svc_nonsense' } }).refused()).toBe(401);
  });

  test('to another protocol is handled as a plain request', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/graphql/?query={hello}`, {
      headers: { connection: 'upgrade', upgrade: 'h2c' },
    }).catch(() => undefined);
    if (answer !== undefined) expect(answer.status).toBe(200);
    const { headers } = await openCookie(app, 'ws@example.com');
    const other = new WebSocket(`ws://127.0.0.1:${port}/ws/svc/`, { headers });
    onTestFinished(() => other.terminate());
    await new Promise<void>((resolve, reject) => {
      other.once('open', resolve);
      other.once('error', reject);
    });
  });
});

describe('a session that ends', () => {
  test('ends its subscriptions at once, and the official client does not reconnect', async () => {
    const { headers, userId, sessionId } = await openCookie(app, 'ending@example.com');
    const client = raw({ headers });
    await client.begin();
    client.subscribe('1', 'subscription { viewerChanged { __typename } }');
    const closed = vi.fn();
    const reconnecting = official(headers, { retryAttempts: 5, on: { closed } });
    const { failed } = collect(reconnecting, statusQuery);
    await expect.poll(async () => (await app.services.bus.listeners([`svc:${userId}`]))[0]).toBe(1);
    await app.services.sessions.end(userId, sessionId);
    expect(await client.end()).toEqual([4401, 'session ended']);
    await expect.poll(failed).toMatchObject({ code: 4401 });
    expect(closed).toHaveBeenCalledOnce();
    const count = client.of('next').length;
    await publishSession(userId);
    expect(client.of('next').length).toBe(count);
  });

  test('closes sockets with its token too, but not those of other users', async () => {
    const one = await openBearer(app, 'one@example.com');
    const two = await openBearer(app, 'two@example.com');
    const [ending, staying] = [raw(), raw()];
    await ending.begin({ token: one.accessToken });
    await staying.begin({ token: two.accessToken });
    await app.services.sessions.endAll(one.userId);
    expect(await ending.end()).toEqual([4401, 'session ended']);
    staying.send({ type: 'ping' });
    await staying.first('pong');
  });

  test('revoking an API key closes its sockets at once, without further messages', async () => {
    const made = { name: 'revoked', scopes: ['analytics:read' as const] };
    const { id, key } = await app.services.apiKeys.create(made);
    const client = raw();
    await client.begin({ token: key });
    client.subscribe('site', 'subscription { siteActivity(siteId: "revoked") { time } }');
    await expect.poll(async () => app.services.bus.listeners(['analytics:revoked'])).toEqual([1]);
    await app.services.apiKeys.revoke(id);
    expect(await client.end()).toEqual([4401, 'session ended']);
    await publishVisitors('revoked');
    expect(client.of('next')).toEqual([]);
  });

  test('losing a role ends only the subscriptions that need it, with an error code', async () => {
    const { browser } = await clearedOn(app, { email: 'demoted@example.com' });
    const client = raw({ headers: { cookie: cookieOf(browser) } });
    await client.begin();
    client.subscribe('site', 'subscription { siteActivity(siteId: "demoted") { time } }');
    client.subscribe('own', 'subscription { viewerChanged { time } }');
    await expect
      .poll(async () =>
        app.services.bus.listeners(['analytics:demoted', `svc:${browser.self.userId}`]),
      )
      .toEqual([1, 1]);
    await app.services.users.setRoles(browser.self.userId, []);
    expect(await client.first('error')).toMatchObject({
      id: 'site',
      payload: [{ extensions: { code: 'request.forbidden', status: 403 } }],
    });
    await publishVisitors('demoted');
    await publishSession(browser.self.userId);
    await client.first('next');
    expect(client.of('next').map(({ id }) => id)).toEqual(['own']);
  });
});

test('closed sockets are no longer counted', async () => {
  await expect.poll(() => app.services.graphql.sockets.count(), { timeout: 8000 }).toBe(0);
});

test('no request above logs an error', () => {
  expect(errorsIn(app.log())).toEqual([]);
});

test('stopping the service closes its sockets with 1001', async () => {
  const client = raw();
  await client.begin();
  const ended = client.end();
  await app.http.close();
  expect(await ended).toEqual([1001, 'shutdown']);
});
