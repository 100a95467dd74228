import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { createBearerClient } from '../../support/bearer-devices.ts';
import { clearedOn, createDeviceBrowser, type DeviceBrowser } from '../../support/devices.ts';
import { openCookie, post } from '../../support/sign-in.ts';
import { centrifuge, listen } from '../../support/sockets.ts';
import { errorsIn } from './healthy.ts';
import { plain, type Plain } from './plain-client.ts';

let app: FreshApp;
let port: number;

beforeAll(async () => {
  app = await freshApp({ env: { DEVICE_FIRST: 'nobody' } });
  port = await listen(app);
});
afterAll(() => app.close());

const cookieOf = (browser: DeviceBrowser) => ({
  cookie: [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; '),
  'user-agent': browser.userAgent,
});
const subscribed = async (client: Plain, channel: string) => {
  const { subscribe, error } = await client.ask({ subscribe: { channel } });
  return subscribe === undefined ? (error as { code: number }).code : 'heard';
};
const permissionsOf = async (client: Plain) => {
  await client.connect();
  return {
    status: await subscribed(client, 'status'),
    test: await subscribed(client, 'test'),
    site: await subscribed(client, 'analytics:site'),
    devices: await subscribed(client, 'devices'),
    jobs: await subscribed(client, 'jobs'),
    other: await subscribed(client, 'svc:00000000-0000-7000-8000-000000000000'),
    none: await subscribed(client, 'secrets'),
    publish:
      (
        (await client.ask({ publish: { channel: 'test', data: 1 } })).error as
          { code: number } | undefined
      )?.code ?? 'published',
    publishStatus:
      (
        (await client.ask({ publish: { channel: 'status', data: 1 } })).error as
          { code: number } | undefined
      )?.code ?? 'published',
  };
};
const nothing = {
  status: 'heard',
  test: 'heard',
  site: 103,
  devices: 103,
  jobs: 103,
  other: 103,
  none: 102,
  publish: 103,
  publishStatus: 103,
};
const key = async (...scopes: string[]) => {
  const { body } = await post(app, '/api/v1/api-keys', { name: 'ws', scopes }, asAdmin);
  return {
    id: String((body as { id: unknown }).id),
    token: String(
      (body as { key?: unknown; secret?: unknown }).key ?? (body as { secret?: unknown }).secret,
    ),
  };
};

describe('permissions at /ws/svc/', () => {
  test('an anonymous client', async () => {
    expect(await permissionsOf(plain(port, '/ws/svc/'))).toEqual(nothing);
  });

  test('a user without a role', async () => {
    const { headers } = await openCookie(app, 'plain@example.com');
    expect(await permissionsOf(plain(port, '/ws/svc/', { headers }))).toEqual({
      ...nothing,
      publish: 'published',
    });
  });

  test('a viewer on a device that is not cleared', async () => {
    const browser = createDeviceBrowser(app);
    await browser.signIn({ email: 'viewer-new@example.com', roles: ['viewer'] });
    expect(await permissionsOf(plain(port, '/ws/svc/', { headers: cookieOf(browser) }))).toEqual({
      ...nothing,
      publish: 'published',
    });
  });

  test('a viewer on a cleared device', async () => {
    const { browser } = await clearedOn(app, { email: 'viewer@example.com', roles: ['viewer'] });
    expect(await permissionsOf(plain(port, '/ws/svc/', { headers: cookieOf(browser) }))).toEqual({
      ...nothing,
      site: 'heard',
      publish: 'published',
    });
  });

  test('an admin on a device that is not cleared', async () => {
    const browser = createDeviceBrowser(app);
    await browser.signIn({ email: 'admin-new@example.com', roles: ['admin'] });
    expect(await permissionsOf(plain(port, '/ws/svc/', { headers: cookieOf(browser) }))).toEqual({
      ...nothing,
      publish: 'published',
    });
  });

  test('an admin on a cleared device', async () => {
    const { browser } = await clearedOn(app, { email: 'admin@example.com' });
    expect(await permissionsOf(plain(port, '/ws/svc/', { headers: cookieOf(browser) }))).toEqual({
      ...nothing,
      site: 'heard',
      devices: 'heard',
      jobs: 'heard',
      publish: 'published',
    });
  });

  test('a session cookie copied from a cleared device', async () => {
    const { browser } = await clearedOn(app, { email: 'admin@example.com' });
    const client = plain(port, '/ws/svc/', {
      headers: { cookie: `svc_session=${browser.jar.get('svc_session') ?? ''}` },
    });
    expect(await permissionsOf(client)).toEqual({ ...nothing, publish: 'published' });
  });

  test('an admin with an access token in a command, which proves no device', async () => {
    const { self } = await createBearerClient(app, {
      email: 'admin-token@example.com',
      roles: ['admin'],
    });
    const client = plain(port, '/ws/svc/');
    await client.connect({ token: self.tokens.accessToken });
    expect(await subscribed(client, 'devices')).toBe(103);
    expect(await subscribed(client, 'analytics:site')).toBe(103);
  });

  test.each<[string[], object]>([
    [['analytics:read'], { site: 'heard', publish: 'published' }],
    [['admin'], { site: 'heard', devices: 'heard', jobs: 'heard', publish: 'published' }],
    [['analytics:write'], { publish: 'published' }],
  ])('an API key with %s', async (scopes, more) => {
    const { token } = await key(...scopes);
    expect(token).toMatch(/^svc_/);
    expect(
      await permissionsOf(
        plain(port, '/ws/svc/', { headers: { authorization: `Bearer ${token}` } }),
      ),
    ).toEqual({ ...nothing, ...more });
    const other = plain(port, '/ws/svc/');
    await other.connect({ token });
    expect((await other.ask({ rpc: { method: 'whoami' } })).rpc).toMatchObject({
      data: { kind: 'api_key', scopes },
    });
  });

  test('channels of another endpoint are unknown', async () => {
    const client = plain(port, '/ws/status/', { headers: asAdmin });
    await client.connect();
    for (const channel of ['analytics:site', 'devices', 'jobs', 'svc:x'])
      expect(await subscribed(client, channel)).toBe(102);
    const other = plain(port, '/ws/analytics/', { headers: asAdmin });
    await other.connect();
    for (const channel of ['devices', 'jobs', 'svc:x'])
      expect(await subscribed(other, channel)).toBe(102);
    expect(await subscribed(other, 'analytics:site')).toBe('heard');
  });

  test.each(['presence', 'presence_stats', 'history', 'publish'])(
    '%s refuses channels that the client may not read',
    async (method) => {
      const { userId } = await openCookie(app, 'private@example.com');
      const client = plain(port, '/ws/svc/');
      await client.connect();
      for (const channel of [`svc:${userId}`, 'devices', 'jobs', 'analytics:site'])
        expect(await client.ask({ [method]: { channel, data: 1, limit: 10 } })).toMatchObject({
          error: { code: 103 },
        });
    },
  );
});

describe('the own channel of a user', () => {
  test('is subscribed to on connect, and only by its user', async () => {
    const [me, other] = [
      await openCookie(app, 'me@example.com'),
      await openCookie(app, 'other@example.com'),
    ];
    const client = plain(port, '/ws/svc/', { headers: me.headers });
    const { connect } = (await client.connect()) as { connect: { subs: object } };
    expect(connect).toMatchObject({ subs: { [`svc:${me.userId}`]: { recoverable: true } } });
    expect(Object.keys(connect.subs)).toEqual([`svc:${me.userId}`]);
    const thief = plain(port, '/ws/svc/', { headers: other.headers });
    await thief.connect();
    expect(await subscribed(thief, `svc:${me.userId}`)).toBe(103);
    await app.services.bus.publish(`svc:${me.userId}`, { type: 'tried', data: 'mine' });
    await expect.poll(() => client.publications(`svc:${me.userId}`).length).toBeGreaterThan(0);
    expect(thief.pushes().filter((push) => push.channel === `svc:${me.userId}`)).toEqual([]);
  });

  test('is recovered by the official client after a dropped connection', async () => {
    const { headers, userId } = await openCookie(app, 'dropped@example.com');
    const client = centrifuge(port, '/ws/svc/', { handshake: headers });
    const received: unknown[] = [];
    client.on('publication', ({ channel, data }) => {
      if (channel === `svc:${userId}`) received.push((data as { data: unknown }).data);
    });
    client.connect();
    await client.ready(5000);
    await app.services.bus.publish(`svc:${userId}`, { type: 'tried', data: 1 });
    await expect.poll(() => received).toContain(1);
    client.disconnect();
    await app.services.bus.publish(`svc:${userId}`, { type: 'tried', data: 2 });
    await app.services.bus.publish(`svc:${userId}`, { type: 'tried', data: 3 });
    client.connect();
    await expect.poll(() => received.slice(received.indexOf(1))).toEqual([1, 2, 3]);
  });
});

describe('a session that ends', () => {
  test.each(['logout', 'end one', 'end all', 'user disabled'] as const)(
    'by %s closes its sockets with 3503 at each endpoint, and no others',
    async (how) => {
      const [mine, other] = [
        await openCookie(app, `${how.replace(' ', '-')}@example.com`),
        await openCookie(app, 'stays@example.com'),
      ];
      const sockets = ['/ws/svc/', '/ws/analytics/', '/ws/status/'].map((path) =>
        plain(port, path, { headers: mine.headers }),
      );
      const uni = plain(port, '/ws/svc/?mode=uni', { headers: mine.headers });
      const staying = plain(port, '/ws/svc/', { headers: other.headers });
      await Promise.all([...sockets, staying].map((each) => each.connect()));
      await expect.poll(() => uni.lines.length).toBeGreaterThan(0);
      const own = { ...mine.headers, host: 'localhost:80', origin: 'http://localhost:80' };
      if (how === 'logout')
        await app.http.inject({ method: 'POST', url: '/api/auth/logout', headers: own });
      if (how === 'end one')
        await app.http.inject({
          method: 'DELETE',
          url: `/api/auth/sessions/${mine.sessionId}`,
          headers: own,
        });
      if (how === 'end all')
        await app.http.inject({ method: 'DELETE', url: '/api/auth/sessions', headers: own });
      if (how === 'user disabled') {
        const user = await app.stores.db
          .updateTable('users')
          .set({ disabled_at: new Date() })
          .where('id', '=', mine.userId)
          .returning('id')
          .executeTakeFirstOrThrow();
        await app.services.sessions.endAll(user.id);
      }
      for (const each of [...sockets, uni]) expect((await each.end()).code).toBe(3503);
      expect(uni.lines.at(-1)).toMatchObject({ disconnect: { code: 3503 } });
      expect(staying.state.closed).toBeUndefined();
    },
  );

  test('leaves sockets of other sessions of the same user open', async () => {
    const [one, two] = [
      await openCookie(app, 'twice@example.com'),
      await openCookie(app, 'twice@example.com'),
    ];
    const [ending, staying] = [
      plain(port, '/ws/svc/', { headers: one.headers }),
      plain(port, '/ws/svc/', { headers: two.headers }),
    ];
    await Promise.all([ending.connect(), staying.connect()]);
    await app.services.sessions.end(one.userId, one.sessionId);
    expect((await ending.end()).code).toBe(3503);
    expect(await staying.ask({ rpc: { method: 'ping' } })).toHaveProperty('rpc');
  });

  test('is not reconnected to by the official client', async () => {
    const { headers, userId, sessionId } = await openCookie(app, 'gone@example.com');
    const client = centrifuge(port, '/ws/svc/', { handshake: headers });
    client.connect();
    await client.ready(5000);
    await app.services.sessions.end(userId, sessionId);
    await expect.poll(() => client.state).toBe('disconnected');
  });
});

describe('a lost permission', () => {
  test('of a role ends only the subscriptions that need it, with 2001', async () => {
    const { browser } = await clearedOn(app, { email: 'demoted@example.com' });
    const client = plain(port, '/ws/svc/', { headers: cookieOf(browser) });
    await client.connect();
    for (const channel of ['devices', 'analytics:site', 'test'])
      expect(await subscribed(client, channel)).toBe('heard');
    await app.services.users.setRoles(browser.self.userId, ['viewer']);
    await expect
      .poll(() => client.pushes().filter(({ unsubscribe }) => unsubscribe !== undefined))
      .toEqual([{ channel: 'devices', unsubscribe: { code: 2001, reason: 'permission lost' } }]);
    await app.services.users.setRoles(browser.self.userId, []);
    await expect
      .poll(() =>
        client
          .pushes()
          .filter(({ unsubscribe }) => unsubscribe !== undefined)
          .map(({ channel }) => channel as string),
      )
      .toEqual(['devices', 'analytics:site']);
    await app.services.bus.publish('devices', { type: 'tried', data: 'secret' });
    await app.services.bus.publish('test', { type: 'tried', data: 'public' });
    await expect.poll(() => client.publications('test').length).toBe(1);
    expect(
      client
        .publications('devices')
        .filter((each) => (each as { data: unknown }).data === 'secret'),
    ).toEqual([]);
    expect(await subscribed(client, 'devices')).toBe(103);
  });

  test('of a revoked device ends the subscriptions that need a cleared one', async () => {
    const { browser, deviceId } = await clearedOn(app, { email: 'revoked-device@example.com' });
    const admin = await clearedOn(app, { email: 'revoker@example.com' });
    const client = plain(port, '/ws/svc/', { headers: cookieOf(browser) });
    await client.connect();
    expect(await subscribed(client, 'devices')).toBe('heard');
    const answer = await admin.browser.revoke({ device_id: deviceId });
    expect(answer.status).toBe(200);
    await expect
      .poll(
        () =>
          client.state.closed ??
          client
            .pushes()
            .find(({ unsubscribe, channel }) => unsubscribe !== undefined && channel === 'devices'),
      )
      .toBeDefined();
  });
});

describe('an access token', () => {
  const connectWith = async (token: string) => {
    const client = plain(port, '/ws/svc/');
    return { client, reply: await client.connect({ token }) };
  };

  test('authenticates a connection, with its expiry', async () => {
    const { self, userId } = await createBearerClient(app, { email: 'bearer@example.com' });
    const { client, reply } = await connectWith(self.tokens.accessToken);
    expect(reply).toMatchObject({ connect: { expires: true, subs: { [`svc:${userId}`]: {} } } });
    expect((reply.connect as { ttl: number }).ttl).toBeGreaterThan(890);
    const refreshed = await client.ask({ refresh: { token: self.tokens.accessToken } });
    expect(refreshed).toMatchObject({ refresh: { expires: true } });
  });

  test('of another user does not refresh a connection, but closes it with 3500', async () => {
    const [one, two] = [
      await createBearerClient(app, { email: 'one@example.com' }),
      await createBearerClient(app, { email: 'two@example.com' }),
    ];
    const { client } = await connectWith(one.self.tokens.accessToken);
    client.send({ refresh: { token: two.self.tokens.accessToken } });
    expect((await client.end()).code).toBe(3500);
  });

  test('that is invalid refreshes nothing: 109, and the connection stays open', async () => {
    const { self } = await createBearerClient(app, { email: 'three@example.com' });
    const { client } = await connectWith(self.tokens.accessToken);
    expect(await client.ask({ refresh: { token: 'svca_nonsense' } })).toMatchObject({
      error: { code: 109 },
    });
    expect(await client.ask({ refresh: { token: self.tokens.refreshToken } })).toMatchObject({
      error: { code: 109 },
    });
    expect(await client.ask({ rpc: { method: 'ping' } })).toHaveProperty('rpc');
  });

  test('that has expired gets 109, and the official client requests a new one', async () => {
    const bearer = await createBearerClient(app, { email: 'ended@example.com' });
    const { client, reply } = await connectWith('svca_ended');
    expect(reply).toMatchObject({ error: { code: 109 } });
    expect(await client.ask({ connect: { token: bearer.self.tokens.accessToken } })).toHaveProperty(
      'connect',
    );
    let tokenRequests = 0;
    const official = centrifuge(port, '/ws/svc/', {
      token: 'svca_ended',
      getToken: async () => {
        tokenRequests += 1;
        return bearer.self.tokens.accessToken;
      },
    });
    official.connect();
    await official.ready(5000);
    expect(tokenRequests).toBe(1);
    expect((await official.rpc('whoami', {})).data).toMatchObject({
      kind: 'user',
      id: bearer.userId,
    });
  });

  test.each(['nonsense', 'svc_nonsense', 'svcr_nonsense', 'eyJhbGciOiJub25lIn0.e30.'])(
    '%s closes the socket with 3500, without leaving a presence',
    async (token) => {
      const email = `cookie-and-${token.slice(0, 6)}@example.com`;
      const { headers, userId } = await openCookie(app, email);
      const client = plain(port, '/ws/svc/', { headers });
      await client.opened();
      client.send({ connect: { token } });
      expect((await client.end()).code).toBe(3500);
      expect(client.lines).toEqual([]);
      const { headers: same } = await openCookie(app, email);
      const watching = plain(port, '/ws/svc/', { headers: same });
      const { connect } = (await watching.connect()) as { connect: { client: string } };
      await expect
        .poll(async () =>
          Object.keys(
            (
              (await watching.ask({ presence: { channel: `svc:${userId}` } })).presence as {
                presence: object;
              }
            ).presence,
          ),
        )
        .toEqual([connect.client]);
    },
  );

  test('in a command takes precedence over the session cookie', async () => {
    const { headers } = await openCookie(app, 'page@example.com');
    const bearer = await createBearerClient(app, { email: 'token@example.com' });
    const client = plain(port, '/ws/svc/', { headers });
    const { connect } = (await client.connect({ token: bearer.self.tokens.accessToken })) as {
      connect: { subs: object };
    };
    expect(Object.keys(connect.subs)).toEqual([`svc:${bearer.userId}`]);
  });

  test('never causes a logged error in these tests', () => {
    expect(errorsIn(app.log())).toEqual([]);
  });
});
