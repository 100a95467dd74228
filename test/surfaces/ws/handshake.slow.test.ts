import { describe, expect, test } from 'vitest';
import { adminKey, asAdmin } from '../../support/app.ts';
import { createBearerClient } from '../../support/bearer-devices.ts';
import { TestClient } from '../../support/client.ts';
import { clearedOn } from '../../support/devices.ts';
import { errorsIn } from '../../support/log.ts';
import { type Tcp, textFrame } from './raw-client.ts';
import { openCookie } from '../../support/sign-in.ts';
import { useSocketService } from './socket-service.ts';

const ws = await useSocketService({
  env: { WS_ORIGINS: 'https://friend.example,https://app.friend.example:8443' },
});

const all = ['/ws/svc/', '/ws/analytics/', '/ws/status/'];
const anonymous = { kind: 'anonymous' };
/** Whom a socket with these headers of its handshake belongs to. */
async function identityAt(path: string, headers: Record<string, string> = {}): Promise<unknown> {
  const client = await ws.connected(path, { headers });
  const { rpc } = await client.ask({ rpc: { method: 'whoami' } });
  return (rpc as { data: unknown }).data;
}
/** Expects that the head of a response begins so. */
const expectHead = (client: Tcp, start: RegExp) =>
  expect.poll(() => client.state.head, { timeout: 5000 }).toMatch(start);

/** Expects that a connection is closed, or goes on with HTTP. */
async function expectClosedOrHttp(client: Tcp): Promise<void> {
  client.write('GET /api/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const isFine = () => client.state.ended || client.received().includes('HTTP/1.1 200');
  await expect.poll(isFine, { timeout: 3000 }).toBe(true);
}

describe('without a handshake', () => {
  test.each([...all, ...all.map((path) => path.slice(0, -1))])(
    '%s answers 426 with Upgrade',
    async (url) => {
      const answer = await new TestClient(ws.app).get(url);
      expect(answer).toBeProblem(426, 'ws.upgrade_required');
      expect(answer.headers.upgrade).toBe('websocket');
    },
  );

  test.each(all)('%s answers HEAD and POST without opening a socket', async (path) => {
    const client = new TestClient(ws.app);
    const head = await client.send('HEAD', path);
    expect([404, 405, 426]).toContain(head.status);
    expect(head.text).toBe('');
    expect([404, 405]).toContain((await client.post(path, {})).status);
  });
});

describe('a handshake', () => {
  test.each([
    ...all,
    ...all.map((path) => path.slice(0, -1)),
    '/ws/status/?cf_ws_frame_ping_pong=true',
  ])('at %s opens a socket', async (path) => {
    const client = ws.plain(path);
    expect(await client.connect()).toMatchObject({ connect: { pong: true } });
  });

  test('selects the offered subprotocol, and no other', async () => {
    const client = await ws.connected('/ws/status/', { protocols: ['mqtt', 'centrifuge-json'] });
    expect(client.webSocket.protocol).toBe('centrifuge-json');
    const other = await ws.raw('/ws/status/', { 'Sec-WebSocket-Protocol': 'mqtt' });
    expect(other.state.head.toLowerCase()).not.toContain('sec-websocket-protocol');
  });

  test('never negotiates compression', async () => {
    const client = await ws.raw('/ws/status/', {
      'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits',
    });
    expect(client.state.head.toLowerCase()).not.toContain('extensions');
  });

  test.each<[string, Record<string, string | undefined>, RegExp]>([
    ['without a key', { 'Sec-WebSocket-Key': undefined }, /^HTTP\/1.1 400 /],
    ['with a short key', { 'Sec-WebSocket-Key': 'abc' }, /^HTTP\/1.1 400 /],
    ['with version 12', { 'Sec-WebSocket-Version': '12' }, /^HTTP\/1.1 (400|426) /],
    ['without a version', { 'Sec-WebSocket-Version': undefined }, /^HTTP\/1.1 (400|426) /],
    ['for h2c', { Upgrade: 'h2c' }, /^HTTP\/1.1 (400|426) /],
    ['for something else', { Upgrade: 'tls/1.0' }, /^HTTP\/1.1 (400|426) /],
    ['with bad protocols', { 'Sec-WebSocket-Protocol': ',,' }, /^HTTP\/1.1 400 /],
  ])('%s is refused', async (_name, headers, expected) => {
    const before = ws.count();
    const client = ws.tcp();
    client.write(ws.handshake('/ws/status/', headers));
    await expectHead(client, expected);
    await expectClosedOrHttp(client);
    await expect.poll(() => ws.count()).toBeLessThanOrEqual(before);
    expect(errorsIn(ws.app.log())).toEqual([]);
  });

  test.each([
    ['POST', '/ws/status/'],
    ['GET', '/ws/status//'],
    ['DELETE', '/ws/svc/'],
  ])('by %s at %s is refused; its connection closes or continues as HTTP', async (method, path) => {
    const client = ws.tcp();
    client.write(ws.handshake(path).replace('GET', method));
    await expectHead(client, /^HTTP\/1.1 40[045] /);
    await expectClosedOrHttp(client);
  });

  test.each([
    '/ws/',
    '/ws/other/',
    '/ws/status/more',
    '/ws//status/',
    '/ws/status%2f',
    '/WS/STATUS/',
  ])('at %s is answered without a socket', async (path) => {
    const client = ws.tcp();
    client.write(ws.handshake(path));
    await expectHead(client, /^HTTP\/1.1 (404|426) /);
  });

  test('loses no frames that follow it immediately', async () => {
    const client = ws.tcp();
    client.write(
      ws.handshake('/ws/status/'),
      textFrame('{"id":1,"connect":{}}'),
      textFrame('{"id":2,"rpc":{"method":"ping"}}'),
    );
    await expect.poll(() => client.texts().join('\n')).toContain('{"id":2,"rpc":{"data":"pong"}}');
  });
});

describe('the Origin of a handshake', () => {
  const foreign = [
    'https://evil.example',
    'null',
    'http://friend.example',
    'https://friend.example.evil.example',
    'https://app.friend.example',
    'https://FRIEND.example.',
    'http://127.0.0.1',
    'http://localhost:1',
  ];
  const friends = ['https://friend.example', 'https://app.friend.example:8443'];

  test.each(
    ['/ws/svc/', '/ws/analytics/'].flatMap((path) =>
      foreign.map((origin): [string, string] => [path, origin]),
    ),
  )('refuses %s to pages of %s', async (path, origin) => {
    const { headers } = await openCookie(ws.app, 'origin@example.com');
    const client = ws.plain(path, { headers: { ...headers, origin } });
    expect(await client.refused()).toMatchObject({ status: 403 });
    expect((await client.refused()).body).toContain('"code":"ws.origin_not_allowed"');
  });

  test.each(foreign)('%s opens /ws/status/ only anonymously, despite a session', async (origin) => {
    const { headers } = await openCookie(ws.app, 'origin@example.com');
    expect(await identityAt('/ws/status/', { ...headers, origin })).toEqual(anonymous);
  });

  test.each([...friends, 'own'])('%s may use the session', async (origin) => {
    const { headers, userId } = await openCookie(ws.app, 'origin@example.com');
    const from = { ...headers, origin: origin === 'own' ? `http://127.0.0.1:${ws.port}` : origin };
    for (const path of all)
      expect(await identityAt(path, from)).toMatchObject({ kind: 'user', id: userId });
  });

  test('repeated in the request opens no private socket', async () => {
    const { cookie } = await openCookie(ws.app, 'origin@example.com');
    const client = ws.tcp();
    client.write(
      ws.handshake('/ws/svc/', {
        Cookie: `svc_session=${cookie}`,
        Origin: 'https://friend.example\r\nOrigin: https://evil.example',
      }),
    );
    await expectHead(client, /^HTTP\/1.1 (101|403) /);
    if (client.state.head.includes(' 101 ')) throw new Error('opened');
  });
});

describe('the credential of a handshake', () => {
  test('is ignored if a cookie is invalid, or behind too many other cookies', async () => {
    const { cookie } = await openCookie(ws.app, 'two@example.com');
    const many = ['a', 'b', 'c', 'd', cookie].map((each) => `svc_session=${each}`);
    for (const header of ['svc_session=nonsense', many.join('; ')])
      expect(await identityAt('/ws/svc/', { cookie: header })).toEqual(anonymous);
  });

  test('is refused if it is an invalid token', async () => {
    for (const token of [' nonsense', ' svc_nonsense', ' svca_nonsense', '']) {
      const headers = { authorization: `Bearer${token}` };
      expect((await ws.plain('/ws/status/', { headers }).refused()).status).toBe(401);
    }
    // As for other requests, other schemes are ignored.
    expect(await identityAt('/ws/status/', { authorization: 'Basic abc' })).toEqual(anonymous);
  });

  test('is ignored in the URL, and not logged', async () => {
    for (const name of ['token', 'access_token', 'cf_connect', 'api_key', 'authorization', 'key']) {
      const value =
        name === 'cf_connect' ? encodeURIComponent(JSON.stringify({ token: adminKey })) : adminKey;
      expect(await identityAt(`/ws/svc/?${name}=${value}`)).toEqual(anonymous);
    }
    const uni = ws.plain(`/ws/svc/?mode=uni&channels=devices&token=${adminKey}`);
    expect((await uni.end()).code).toBe(3507);
    expect(ws.app.log()).not.toContain(adminKey);
    expect(ws.app.log()).not.toContain('cf_connect');
  });

  test('is never logged, valid or not', async () => {
    const { cookie } = await openCookie(ws.app, 'log@example.com');
    const { tokens } = (await createBearerClient(ws.app, { email: 'log@example.com' })).self;
    const secrets = [
      cookie,
      tokens.accessToken,
      adminKey,
      'svc_not-a-key-at-all-but-looks-like-one-000000000',
      'svca_neither',
    ];
    await ws.plain('/ws/svc/', { headers: { cookie: `svc_session=${cookie}` } }).connect();
    for (const token of secrets.slice(1)) {
      const client = ws.plain('/ws/svc/');
      await client.opened();
      client.send({ connect: { token } });
      await expect.poll(() => client.state.closed ?? client.lines[0]).toBeDefined();
      const other = ws.plain('/ws/svc/', { headers: { authorization: `Bearer ${token}` } });
      await expect.poll(() => other.state.refused ?? other.webSocket.readyState).not.toBe(0);
    }
    const bad = await ws.connected('/ws/svc/', { headers: asAdmin });
    bad.write(`{"id":2,"rpc":"${adminKey}"}`);
    await expect
      .poll(() => bad.lines.find(({ id }) => id === 2))
      .toMatchObject({ error: { code: 107, message: 'bad request' } });
    for (const secret of secrets) expect(ws.app.log()).not.toContain(secret);
    expect(ws.app.log()).not.toContain('log@example.com');
  });

  test('renews at most the device cookie in the response', async () => {
    const { browser } = await clearedOn(ws.app, { email: 'cookie@example.com' });
    const header = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const client = await ws.raw('/ws/svc/', { Cookie: header, 'User-Agent': browser.userAgent });
    // The device decides whether a renewal is due. In any case, no other cookie may be set.
    const set = client.state.head.split('\r\n').filter((line) => /^set-cookie:/i.test(line));
    expect(set.length).toBeLessThanOrEqual(1);
    for (const line of set) expect(line).toMatch(/^set-cookie: svc_device=[^;]+; .*HttpOnly/i);
    expect((await browser.send('/api/auth/blackops/dashboard')).status).toBe(200);
  });
});

describe('a handshake on a busy connection', () => {
  test('opens a socket after the pending response, or closes the connection', async () => {
    const client = ws.tcp();
    client.write(
      `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${ws.port}\r\n\r\n`,
      ws.handshake('/ws/status/'),
    );
    const isOver = ({ ended, isWebSocket }: Tcp['state']) =>
      ended || isWebSocket || client.received().includes('HTTP/1.1 101');
    await expect.poll(() => isOver(client.state), { timeout: 5000 }).toBe(true);
  });
});

const statusesIn = (client: Tcp) =>
  [...client.received().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

/** Waits until a text was received so many times. */
const expectTimes = (client: Tcp, text: string, times: number) =>
  expect
    .poll(() => client.received().split(text).length - 1, { timeout: 5000, interval: 2 })
    .toBe(times);

describe('a plain request with an Upgrade header', () => {
  const h2c = {
    Connection: 'Upgrade, HTTP2-Settings',
    Upgrade: 'h2c',
    'HTTP2-Settings': 'AAMAAABkAARAAAAAAAIAAAAA',
  };
  const request = (line: string, headers: Record<string, string>, body = '') =>
    `${line} HTTP/1.1\r\nHost: 127.0.0.1:${ws.port}\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${body}`;

  test.each([
    ['h2c', h2c],
    [
      'websocket',
      {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    ],
  ] as const)(
    'for %s is answered as if without it, repeatedly on one connection',
    async (_name, headers) => {
      const warnings: Error[] = [];
      const note = (warning: Error) => warnings.push(warning);
      process.on('warning', note);
      const client = ws.tcp();
      for (let turn = 1; turn <= 30; turn += 1) {
        client.write(request('GET /api/health/live', headers));
        await expectTimes(client, 'HTTP/1.1 200 OK', turn);
      }
      expect(client.state.ended).toBe(false);
      await new Promise((resolve) => setImmediate(resolve));
      process.off('warning', note);
      expect(warnings).toEqual([]);
    },
  );

  test.each([10, 60_000])('with a body of %i bytes delivers it completely', async (size) => {
    const body = JSON.stringify({ refresh_token: 'x'.repeat(10), more: 'y'.repeat(size) });
    const client = ws.tcp();
    for (let turn = 1; turn <= 3; turn += 1) {
      client.write(
        request(
          'POST /api/auth/token/refresh',
          { ...h2c, 'Content-Type': 'application/json', 'Content-Length': String(body.length) },
          body,
        ),
      );
      await expectTimes(client, '"code":"auth.invalid_grant"', turn);
    }
  });

  test('with a chunked body after the head delivers it completely', async () => {
    const body = JSON.stringify({ refresh_token: 'nonsense' });
    const client = ws.tcp();
    client.socket.setNoDelay(true);
    client.write(
      request('POST /api/auth/token/refresh', {
        ...h2c,
        'Content-Type': 'application/json',
        'Transfer-Encoding': 'chunked',
      }),
    );
    for (const piece of [body.slice(0, 4), body.slice(4, 9), body.slice(9)]) {
      await new Promise((resolve) => setImmediate(resolve));
      client.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    }
    client.write('0\r\n\r\n');
    await expect.poll(() => client.received(), { timeout: 5000 }).toContain('auth.invalid_grant');
  });

  test('with pipelined requests behind it is answered in order', async () => {
    const client = ws.tcp();
    client.write(
      request('GET /api/health/live', h2c),
      request('GET /nowhere-1', {}),
      request('GET /api/health/live', h2c),
      request('GET /nowhere-2', {}),
    );
    await expect
      .poll(() => statusesIn(client), { timeout: 5000 })
      .toEqual(['200', '404', '200', '404']);
  });

  test('behind a slower request is answered after it', async () => {
    const client = ws.tcp();
    client.write(request('GET /api/health', {}), request('GET /nowhere', h2c));
    await expect.poll(() => statusesIn(client), { timeout: 5000 }).toHaveLength(2);
    expect(statusesIn(client).at(-1)).toBe('404');
  });

  test('keeps its headers, and so its credential', async () => {
    const client = ws.tcp();
    client.write(
      request('GET /api/v1/audit', {
        ...h2c,
        authorization: asAdmin.authorization,
        connection: 'close, Upgrade, HTTP2-Settings',
      }),
    );
    await expectHead(client, /^HTTP\/1.1 200 /);
    await client.ended();
  });
});
