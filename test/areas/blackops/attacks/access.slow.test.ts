import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect } from 'vitest';
import { type TestApp } from '../../../support/app.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import {
  type Cleared,
  clearedOn,
  copyOf,
  createDeviceBrowser,
  type DeviceBrowser,
  deviceInventory,
  mount,
  storedDevice,
} from '../../../support/devices.ts';

let app: TestApp;
let admin: Cleared;
let viewer: Cleared;
let plain: Cleared;
let uncleared: DeviceBrowser;
beforeAll(async () => {
  app = await sharedApp('devices');
  admin = await clearedOn(app, { email: 'admin@example.com' });
  viewer = await clearedOn(app, { email: 'viewer@example.com', roles: ['viewer'] });
  plain = await clearedOn(app, { email: 'plain@example.com', roles: [] });
  uncleared = createDeviceBrowser(app);
  await uncleared.signIn({ email: 'new-admin@example.com', roles: ['admin'] });
});

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;
const mounts = [mount, '/auth/blackops'];
const figures = ['states', 'series', 'pending', 'decisions', 'requests'];

describe.each(mounts)('routes for admins on a cleared device, at %s', (prefix) => {
  it.each(verbs)(
    'refuse strangers, users without the role and devices that are not cleared, by %s',
    async (method) => {
      const before = await deviceInventory(app);
      for (const path of [
        'analytics',
        ...(method === 'GET' || method === 'HEAD'
          ? ['dashboard', 'requests', 'requests?state=decided']
          : []),
      ]) {
        const url = `${prefix}/${path}`;
        const expected: [DeviceBrowser, number][] = [
          [createDeviceBrowser(app), 401],
          [plain.browser, 403],
          [viewer.browser, 403],
          [uncleared, 403],
        ];
        for (const [browser, status] of expected) {
          const answer = await browser.send(url, { method });
          expect({ path, status: answer.status }).toEqual({ path, status });
          for (const name of figures) expect(answer.body).not.toHaveProperty(name);
        }
      }
      expect(await deviceInventory(app)).toEqual(before);
    },
  );

  it('answer analytics by all seven methods without changing anything', async () => {
    const before = await deviceInventory(app);
    for (const method of verbs) {
      const answer = await admin.browser.send(`${prefix}/analytics`, { method });
      expect({ method, status: answer.status }).toEqual({ method, status: 200 });
      if (method === 'HEAD') expect(answer.body).toEqual({ text: '' });
      else expect(answer.body).toMatchObject({ method, states: { cleared: 3 } });
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    }
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('user routes require a session', async () => {
    const stranger = createDeviceBrowser(app);
    const before = await deviceInventory(app);
    const id = admin.deviceId;
    const calls = [
      ['GET', 'devices'],
      ['DELETE', 'devices'],
      ['POST', 'request-clearance'],
      ['PATCH', `devices/${id}`],
      ['POST', `devices/${id}/suspend`],
      ['POST', `devices/${id}/restore`],
      ['POST', 'passkey/options'],
      ['POST', 'passkey'],
    ] as const;
    for (const [method, path] of calls) {
      const answer = await stranger.send(`${prefix}/${path}`, {
        method,
        ...(method === 'GET'
          ? {}
          : { body: { fingerprint: 'print', device_id: id, device_name: 'x' } }),
      });
      expect({ path, status: answer.status }).toEqual({ path, status: 401 });
    }
    expect(await deviceInventory(app)).toEqual(before);
  });
});

describe('the other admin paths', () => {
  it.each(['/api/v1/audit', '/api/v1/api-keys', '/analytics/dashboard/?site_id=my-site'])(
    '%s refuses admins on devices that are not cleared',
    async (url) => {
      expect(await uncleared.call(url)).toMatchObject({
        status: 403,
        body: { code: 'blackops.device_not_cleared' },
      });
      expect([200, 404]).toContain((await admin.browser.call(url)).status);
    },
  );

  it('a device that is not cleared can not create an API key', async () => {
    const keys = () => app.stores.db.selectFrom('api_keys').select('id').execute();
    const before = await keys();
    expect(
      await uncleared.call('/api/v1/api-keys', {
        method: 'POST',
        body: { name: 'door', scopes: ['admin'] },
      }),
    ).toMatchObject({ status: 403 });
    expect(await keys()).toEqual(before);
  });
});

describe('device status', () => {
  const fresh = () => createDeviceBrowser(app);
  it('without a session is unknown, for any cookie, id or fingerprint', async () => {
    const known = fresh();
    known.jar.set('svc_device', admin.browser.jar.get('svc_device') ?? '');
    const answers = [
      await fresh().status({ fingerprint: 'print' }),
      await fresh().status({ fingerprint: 'never seen' }),
      await fresh().status({ fingerprint: 'print', device_id: admin.deviceId }),
      await known.status({ fingerprint: 'print' }),
      await copyOf(app, admin.browser, { cookies: [] }).status({
        fingerprint: 'x',
        device_id: randomUUID(),
      }),
    ];
    const bodies = answers.map(({ status, body: { nonce: _nonce, ...body } }) =>
      JSON.stringify({ status, body }),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(answers[0]).toMatchObject({
      status: 200,
      body: {
        device_id: null,
        state: 'unknown',
        cleared: false,
        trust_score: 0,
        reasons: [],
        first_seen: null,
        requirements: ['sign_in', 'clearance'],
      },
    });
    for (const { headers } of answers) expect(headers).not.toHaveProperty('set-cookie');
  });

  it('with a session reveals nothing about other devices with the same fingerprint', async () => {
    const stranger = fresh();
    await stranger.signIn({ email: 'stranger@example.com' });
    const { body } = await stranger.status({ fingerprint: 'print', device_id: admin.deviceId });
    expect(body).toMatchObject({
      device_id: null,
      state: 'unknown',
      trust_score: 0,
      first_seen: null,
    });
    expect((await stranger.call(`${mount}/devices`)).body).toEqual({ devices: [], total: 0 });
  });
});

describe('case 48 › another site', () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://localhost:81' },
    { origin: 'http://localhost:80.evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ];

  it.each(foreign)('can not write with the cookies of an admin: %j', async (headers) => {
    const before = await deviceInventory(app);
    const calls = [
      ['POST', 'request-clearance', { fingerprint: 'print' }],
      ['DELETE', 'devices', { device_id: admin.deviceId }],
      ['DELETE', 'devices', { all_others: true }],
      ['PATCH', `devices/${admin.deviceId}`, { device_name: 'evil' }],
      ['POST', `devices/${admin.deviceId}/suspend`, {}],
      ['POST', `requests/${randomUUID()}/approve`, { number: '12' }],
      ['POST', `requests/${randomUUID()}/deny`, {}],
      ['POST', 'status', { fingerprint: 'print' }],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await admin.browser.send(`${mount}/${path}`, { method, body, headers });
      expect({ path, status: answer.status, code: answer.body.code }).toEqual({
        path,
        status: 403,
        code: 'auth.csrf_origin',
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect(await deviceInventory(app)).toEqual(before);
    expect((await storedDevice(app, admin.deviceId)).name).toBe('Chrome on macOS');
  });

  it('gets no permission for cookies or proofs from a preflight', async () => {
    const answer = await createDeviceBrowser(app).send(`${mount}/status`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'dpop',
      },
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expect(String(answer.headers['access-control-allow-origin'])).not.toBe('https://evil.example');
  });
});
