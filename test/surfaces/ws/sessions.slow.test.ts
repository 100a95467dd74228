import { describe, expect, test, vi } from 'vitest';
import { asAdmin } from '../../support/app.ts';
import { createBearerClient } from '../../support/bearer-devices.ts';
import { clearedOn, createDeviceBrowser, type DeviceBrowser } from '../../support/devices.ts';
import { TestClient } from '../../support/client.ts';
import { openCookie } from '../../support/sign-in.ts';
import { dataOf } from './official-client.ts';
import { errorsIn } from '../../support/log.ts';
import { type Line, type Plain } from './plain-client.ts';
import { useSocketService } from './socket-service.ts';

const ws = await useSocketService({ env: { DEVICE_FIRST: 'nobody' } });

type Headers = Record<string, string>;
const cookieOf = (browser: DeviceBrowser): Headers => ({
  cookie: [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; '),
  'user-agent': browser.userAgent,
});

/** Returns the code of the error of a reply, or the given word without one. */
const outcome = ({ error }: Line, word: string) =>
  (error as { code: number } | undefined)?.code ?? word;
const subscribed = async (client: Plain, channel: string) =>
  outcome(await client.ask({ subscribe: { channel } }), 'heard');
const published = async (client: Plain, channel: string) =>
  outcome(await client.ask({ publish: { channel, data: 1 } }), 'published');

async function permissionsOf(headers: Headers) {
  const client = await ws.connected('/ws/svc/', { headers });
  return {
    status: await subscribed(client, 'status'),
    test: await subscribed(client, 'test'),
    site: await subscribed(client, 'analytics:site'),
    devices: await subscribed(client, 'devices'),
    jobs: await subscribed(client, 'jobs'),
    other: await subscribed(client, 'svc:00000000-0000-7000-8000-000000000000'),
    none: await subscribed(client, 'secrets'),
    publish: await published(client, 'test'),
    publishStatus: await published(client, 'status'),
  };
}
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
const ofUsers = { publish: 'published' };
const ofViewers = { ...ofUsers, site: 'heard' };
const ofAdmins = { ...ofViewers, devices: 'heard', jobs: 'heard' };

const withKey = async (...scopes: string[]) => {
  const keys = new TestClient(ws.app).as(asAdmin);
  const { body } = await keys.post('/api/v1/api-keys', { name: 'ws', scopes });
  return String(body.key ?? body.secret);
};
const onNewDevice = async (email: string, role: 'viewer' | 'admin') => {
  const browser = createDeviceBrowser(ws.app);
  await browser.signIn({ email, roles: [role] });
  return cookieOf(browser);
};
const onCleared = async (email: string, role: 'viewer' | 'admin' = 'admin') =>
  (await clearedOn(ws.app, { email, roles: [role] })).browser;

describe('the permissions at /ws/svc/', () => {
  const nobody = async () => ({});
  const person = async () => (await openCookie(ws.app, 'plain@example.com')).headers;
  const newViewer = () => onNewDevice('viewer-new@example.com', 'viewer');
  const viewer = async () => cookieOf(await onCleared('viewer@example.com', 'viewer'));
  const newAdmin = () => onNewDevice('admin-new@example.com', 'admin');
  const admin = async () => cookieOf(await onCleared('admin@example.com'));
  const thief = async () => {
    const { jar } = await onCleared('admin@example.com');
    return { cookie: `svc_session=${jar.get('svc_session') ?? ''}` };
  };

  test.each<[string, () => Promise<Headers>, object]>([
    ['an anonymous client', nobody, {}],
    ['a user without a role', person, ofUsers],
    ['a viewer on a device that is not cleared', newViewer, ofUsers],
    ['a viewer on a cleared device', viewer, ofViewers],
    ['an admin on a device that is not cleared', newAdmin, ofUsers],
    ['an admin on a cleared device', admin, ofAdmins],
    ['a session cookie copied from a cleared device', thief, ofUsers],
  ])('of %s are as documented', async (_who, headers, more) => {
    expect(await permissionsOf(await headers())).toEqual({ ...nothing, ...more });
  });

  test('of an admin with an access token in a command need a proven device', async () => {
    const { self } = await createBearerClient(ws.app, {
      email: 'admin-token@example.com',
      roles: ['admin'],
    });
    const client = ws.plain('/ws/svc/');
    await client.connect({ token: self.tokens.accessToken });
    expect(await subscribed(client, 'devices')).toBe(103);
    expect(await subscribed(client, 'analytics:site')).toBe(103);
  });

  test.each<[string[], object]>([
    [['analytics:read'], ofViewers],
    [['admin'], ofAdmins],
    [['analytics:write'], ofUsers],
  ])('of an API key with %s are as documented', async (scopes, more) => {
    const token = await withKey(...scopes);
    expect(token).toMatch(/^svc_/);
    const permissions = await permissionsOf({ authorization: `Bearer ${token}` });
    expect(permissions).toEqual({ ...nothing, ...more });
    const other = ws.plain('/ws/svc/');
    await other.connect({ token });
    expect((await other.ask({ rpc: { method: 'whoami' } })).rpc).toMatchObject({
      data: { kind: 'api_key', scopes },
    });
  });

  test('channels of another endpoint are unknown', async () => {
    const client = await ws.connected('/ws/status/', { headers: asAdmin });
    for (const channel of ['analytics:site', 'devices', 'jobs', 'svc:x'])
      expect(await subscribed(client, channel)).toBe(102);
    const other = await ws.connected('/ws/analytics/', { headers: asAdmin });
    for (const channel of ['devices', 'jobs', 'svc:x'])
      expect(await subscribed(other, channel)).toBe(102);
    expect(await subscribed(other, 'analytics:site')).toBe('heard');
  });

  test.each(['presence', 'presence_stats', 'history', 'publish'])(
    '%s refuses channels that the client may not read',
    async (method) => {
      const { userId } = await openCookie(ws.app, 'private@example.com');
      const client = await ws.connected('/ws/svc/');
      for (const channel of [`svc:${userId}`, 'devices', 'jobs', 'analytics:site'])
        expect(await client.ask({ [method]: { channel, data: 1, limit: 10 } })).toMatchObject({
          error: { code: 103 },
        });
    },
  );
});

describe('the private channel of a user', () => {
  test('is subscribed to on connect, and only by its user', async () => {
    const [me, other] = [
      await openCookie(ws.app, 'me@example.com'),
      await openCookie(ws.app, 'other@example.com'),
    ];
    const client = ws.plain('/ws/svc/', { headers: me.headers });
    const { connect } = (await client.connect()) as { connect: { subs: object } };
    expect(connect).toMatchObject({ subs: { [`svc:${me.userId}`]: { recoverable: true } } });
    expect(Object.keys(connect.subs)).toEqual([`svc:${me.userId}`]);
    const thief = await ws.connected('/ws/svc/', { headers: other.headers });
    expect(await subscribed(thief, `svc:${me.userId}`)).toBe(103);
    await ws.publish(`svc:${me.userId}`, 'mine');
    await expect.poll(() => client.publications(`svc:${me.userId}`).length).toBeGreaterThan(0);
    expect(thief.pushes().filter((push) => push.channel === `svc:${me.userId}`)).toEqual([]);
  });

  test('is recovered by the official client after a dropped connection', async () => {
    const { headers, userId } = await openCookie(ws.app, 'dropped@example.com');
    const client = ws.centrifuge('/ws/svc/', { handshake: headers });
    const received: unknown[] = [];
    client.on('publication', ({ channel, data }) => {
      if (channel === `svc:${userId}`) received.push((data as { data: unknown }).data);
    });
    client.connect();
    await client.ready(5000);
    await ws.publish(`svc:${userId}`, 1);
    await expect.poll(() => received).toContain(1);
    client.disconnect();
    await ws.publish(`svc:${userId}`, 2);
    await ws.publish(`svc:${userId}`, 3);
    client.connect();
    await expect.poll(() => received.slice(received.indexOf(1))).toEqual([1, 2, 3]);
  });
});

describe('a session that ends', () => {
  test.each(['logout', 'end one', 'end all', 'user disabled'] as const)(
    'by %s closes its sockets with 3503 at each endpoint, and no others',
    async (how) => {
      const [mine, other] = [
        await openCookie(ws.app, `${how.replace(' ', '-')}@example.com`),
        await openCookie(ws.app, 'stays@example.com'),
      ];
      const sockets = ['/ws/svc/', '/ws/analytics/', '/ws/status/'].map((path) =>
        ws.plain(path, { headers: mine.headers }),
      );
      const uni = ws.plain('/ws/svc/?mode=uni', { headers: mine.headers });
      const staying = ws.plain('/ws/svc/', { headers: other.headers });
      await Promise.all([...sockets, staying].map((each) => each.connect()));
      await expect.poll(() => uni.lines.length).toBeGreaterThan(0);
      const own = new TestClient(ws.app).at('/api/auth').as({
        ...mine.headers,
        host: 'localhost:80',
        origin: 'http://localhost:80',
      });
      await {
        logout: () => own.post('/logout'),
        'end one': () => own.delete(`/sessions/${mine.sessionId}`),
        'end all': () => own.delete('/sessions'),
        'user disabled': async () => {
          await ws.app.services.users.setDisabled(mine.userId, true);
          await ws.app.services.sessions.endAll(mine.userId);
        },
      }[how]();
      for (const each of [...sockets, uni]) expect((await each.end()).code).toBe(3503);
      expect(uni.lines.at(-1)).toMatchObject({ disconnect: { code: 3503 } });
      expect(staying.state.closed).toBeUndefined();
    },
  );

  test('leaves sockets of other sessions of the same user open', async () => {
    const { headers, userId, sessionId } = await openCookie(ws.app, 'twice@example.com');
    const ending = await ws.connected('/ws/svc/', { headers });
    const other = await openCookie(ws.app, 'twice@example.com');
    const staying = await ws.connected('/ws/svc/', { headers: other.headers });
    await ws.app.services.sessions.end(userId, sessionId);
    expect((await ending.end()).code).toBe(3503);
    expect(await staying.ask({ rpc: { method: 'ping' } })).toHaveProperty('rpc');
  });

  test('is not reconnected to by the official client', async () => {
    const { headers, userId, sessionId } = await openCookie(ws.app, 'gone@example.com');
    const client = ws.centrifuge('/ws/svc/', { handshake: headers });
    client.connect();
    await client.ready(5000);
    await ws.app.services.sessions.end(userId, sessionId);
    await expect.poll(() => client.state).toBe('disconnected');
  });
});

describe('a lost permission', () => {
  test('of a role ends only the subscriptions that need it, with 2001', async () => {
    const browser = await onCleared('demoted@example.com');
    const client = await ws.connected('/ws/svc/', { headers: cookieOf(browser) });
    for (const channel of ['devices', 'analytics:site', 'test'])
      expect(await subscribed(client, channel)).toBe('heard');
    await ws.app.services.users.setRoles(browser.self.userId, ['viewer']);
    const lost = () => client.pushes().filter(({ unsubscribe }) => unsubscribe !== undefined);
    const unsubscribe = { code: 2001, reason: 'permission lost' };
    await expect.poll(lost).toEqual([{ channel: 'devices', unsubscribe }]);
    await ws.app.services.users.setRoles(browser.self.userId, []);
    await expect.poll(lost).toMatchObject([{ channel: 'devices' }, { channel: 'analytics:site' }]);
    await ws.publish('devices', 'secret');
    await ws.publish('test', 'public');
    await expect.poll(() => client.publications('test').length).toBe(1);
    expect(client.publications('devices').map(dataOf)).not.toContain('secret');
    expect(await subscribed(client, 'devices')).toBe(103);
  });

  test('of a revoked device ends the subscriptions that need a cleared one', async () => {
    const { browser, deviceId } = await clearedOn(ws.app, { email: 'revoked-device@example.com' });
    const admin = await onCleared('revoker@example.com');
    const client = await ws.connected('/ws/svc/', { headers: cookieOf(browser) });
    expect(await subscribed(client, 'devices')).toBe('heard');
    expect((await admin.revoke({ device_id: deviceId })).status).toBe(200);
    const lost = () =>
      client.pushes().find(({ unsubscribe, channel }) => unsubscribe && channel === 'devices');
    await expect.poll(() => client.state.closed ?? lost()).toBeDefined();
  });
});

describe('an access token', () => {
  const connectWith = async (token: string) => {
    const client = ws.plain('/ws/svc/');
    return { client, reply: await client.connect({ token }) };
  };

  test('authenticates a connection, with its expiry', async () => {
    const { self, userId } = await createBearerClient(ws.app, { email: 'bearer@example.com' });
    const { client, reply } = await connectWith(self.tokens.accessToken);
    expect(reply).toMatchObject({ connect: { expires: true, subs: { [`svc:${userId}`]: {} } } });
    expect((reply.connect as { ttl: number }).ttl).toBeGreaterThan(890);
    const refreshed = await client.ask({ refresh: { token: self.tokens.accessToken } });
    expect(refreshed).toMatchObject({ refresh: { expires: true } });
  });

  test('of another user does not refresh a connection, but closes it with 3500', async () => {
    const [one, two] = [
      await createBearerClient(ws.app, { email: 'one@example.com' }),
      await createBearerClient(ws.app, { email: 'two@example.com' }),
    ];
    const { client } = await connectWith(one.self.tokens.accessToken);
    client.send({ refresh: { token: two.self.tokens.accessToken } });
    expect((await client.end()).code).toBe(3500);
  });

  test('that is invalid refreshes nothing: 109, and the connection stays open', async () => {
    const { self } = await createBearerClient(ws.app, { email: 'three@example.com' });
    const { client } = await connectWith(self.tokens.accessToken);
    for (const token of ['svca_nonsense', self.tokens.refreshToken])
      expect(await client.ask({ refresh: { token } })).toMatchObject({ error: { code: 109 } });
    expect(await client.ask({ rpc: { method: 'ping' } })).toHaveProperty('rpc');
  });

  test('that has expired gets 109, and the official client requests a new one', async () => {
    const bearer = await createBearerClient(ws.app, { email: 'ended@example.com' });
    const { client, reply } = await connectWith('svca_ended');
    expect(reply).toMatchObject({ error: { code: 109 } });
    expect(await client.ask({ connect: { token: bearer.self.tokens.accessToken } })).toHaveProperty(
      'connect',
    );
    const getToken = vi.fn(async () => bearer.self.tokens.accessToken);
    const official = ws.centrifuge('/ws/svc/', { token: 'svca_ended', getToken });
    official.connect();
    await official.ready(5000);
    expect(getToken).toHaveBeenCalledOnce();
    expect((await official.rpc('whoami', {})).data).toMatchObject({
      kind: 'user',
      id: bearer.userId,
    });
  });

  test.each(['nonsense', 'svc_nonsense', 'svcr_nonsense', 'eyJhbGciOiJub25lIn0.e30.'])(
    '%s closes the socket with 3500, without leaving a presence',
    async (token) => {
      const email = `cookie-and-${token.slice(0, 6)}@example.com`;
      const { headers, userId } = await openCookie(ws.app, email);
      const client = ws.plain('/ws/svc/', { headers });
      await client.opened();
      client.send({ connect: { token } });
      expect((await client.end()).code).toBe(3500);
      expect(client.lines).toEqual([]);
      const { headers: same } = await openCookie(ws.app, email);
      const watching = ws.plain('/ws/svc/', { headers: same });
      const { connect } = (await watching.connect()) as { connect: { client: string } };
      const present = async () => {
        const { presence } = await watching.ask({ presence: { channel: `svc:${userId}` } });
        return Object.keys((presence as { presence: object }).presence);
      };
      await expect.poll(present).toEqual([connect.client]);
    },
  );

  test('in a command takes precedence over the session cookie', async () => {
    const { headers } = await openCookie(ws.app, 'page@example.com');
    const bearer = await createBearerClient(ws.app, { email: 'token@example.com' });
    const client = ws.plain('/ws/svc/', { headers });
    const { connect } = (await client.connect({ token: bearer.self.tokens.accessToken })) as {
      connect: { subs: object };
    };
    expect(Object.keys(connect.subs)).toEqual([`svc:${bearer.userId}`]);
  });

  test('never causes a logged error in these tests', () => {
    expect(errorsIn(ws.app.log())).toEqual([]);
  });
});
