import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { TestClient } from '../../../../support/client.ts';
import { mount } from '../../../../support/devices.ts';
import { it } from '../../../../support/test.ts';
import { useDevices } from '../support.ts';

const lab = await useDevices();
const { cleared, copy, expectUnchanged, newBrowser, signedIn } = lab;
const admin = await cleared();
const viewer = await cleared({ roles: ['viewer'] });
const plain = await cleared({ roles: [] });
const uncleared = await signedIn();

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;
const figures = ['states', 'series', 'pending', 'decisions', 'requests'];

describe.each([mount, '/auth/blackops'])('the routes at %s', (prefix) => {
  it.each(verbs)(
    'refuse strangers, users without the role and devices that are not cleared, by %s',
    async (method) => {
      const readable = ['dashboard', 'requests', 'requests?state=decided'];
      const isRead = method === 'GET' || method === 'HEAD';
      await expectUnchanged(async () => {
        for (const path of ['analytics', ...(isRead ? readable : [])]) {
          for (const { browser, status } of [
            { browser: newBrowser(), status: 401 },
            { browser: plain.browser, status: 403 },
            { browser: viewer.browser, status: 403 },
            { browser: uncleared, status: 403 },
          ]) {
            const refused = await browser.send(`${prefix}/${path}`, { method });
            expect(refused.status, path).toBe(status);
            for (const name of figures) expect(refused.body).not.toHaveProperty(name);
          }
        }
      });
    },
  );

  it('answer analytics by all seven methods without changing anything', async () => {
    await expectUnchanged(async () => {
      for (const method of verbs) {
        const response = await admin.browser.send(`${prefix}/analytics`, { method });
        expect(response).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
        if (method === 'HEAD') expect(response.text).toBe('');
        else expect(response.body).toMatchObject({ method, states: { cleared: 3 } });
      }
    });
  });

  it.each([
    ['GET', 'devices'],
    ['DELETE', 'devices'],
    ['POST', 'request-clearance'],
    ['PATCH', 'devices/:id'],
    ['POST', 'devices/:id/suspend'],
    ['POST', 'devices/:id/restore'],
    ['POST', 'passkey/options'],
    ['POST', 'passkey'],
  ] as const)('require a session for %s %s', async (method, path) => {
    const url = `${prefix}/${path.replace(':id', admin.deviceId)}`;
    const body = { fingerprint: 'print', device_id: admin.deviceId, device_name: 'x' };
    const { status } = await expectUnchanged(() =>
      newBrowser().send(url, method === 'GET' ? {} : { method, body }),
    );
    expect(status).toBe(401);
  });
});

describe('the other admin paths', () => {
  it.each(['/api/v1/audit', '/api/v1/api-keys', '/analytics/dashboard/?site_id=my-site'])(
    '%s refuses admins on devices that are not cleared',
    async (url) => {
      expect(await uncleared.call(url)).toBeProblem(403, 'blackops.device_not_cleared');
      expect([200, 404]).toContain((await admin.browser.call(url)).status);
    },
  );

  it('create no API key for a device that is not cleared', async () => {
    const keys = () => lab.app.stores.db.selectFrom('api_keys').select('id').execute();
    const before = await keys();
    const refused = await uncleared.post('/api/v1/api-keys', { name: 'door', scopes: ['admin'] });
    expect(refused).toMatchObject({ status: 403 });
    expect(await keys()).toEqual(before);
  });
});

describe('device status', () => {
  it('without a session is unknown, for any cookie, id or fingerprint', async () => {
    const { deviceId: device_id } = admin;
    const signedOut = copy(admin.browser, { cookies: [] });
    const responses = [
      await newBrowser().status(),
      await newBrowser().status({ fingerprint: 'never seen' }),
      await newBrowser().status({ device_id }),
      await copy(admin.browser, { cookies: ['svc_device'] }).status(),
      await signedOut.status({ fingerprint: 'x', device_id: randomUUID() }),
    ];
    for (const { status, headers, body } of responses) {
      expect(headers).not.toHaveProperty('set-cookie');
      expect({ status, body: { ...body, nonce: '' } }).toEqual({
        status: 200,
        body: { ...responses[0]?.body, nonce: '' },
      });
    }
    expect(responses[0]?.body).toMatchObject({
      device_id: null,
      state: 'unknown',
      cleared: false,
      trust_score: 0,
      reasons: [],
      first_seen: null,
      requirements: ['sign_in', 'clearance'],
    });
  });

  it('with a session reveals nothing about other devices with the same fingerprint', async () => {
    const stranger = await signedIn({ roles: [] });
    expect((await stranger.status({ device_id: admin.deviceId })).body).toMatchObject({
      device_id: null,
      state: 'unknown',
      trust_score: 0,
      first_seen: null,
    });
    expect((await stranger.call(`${mount}/devices`)).body).toEqual({ devices: [], total: 0 });
  });
});

describe('case 48 › another site', () => {
  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://localhost:81' },
    { origin: 'http://localhost:80.evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ])('can not write with the cookies of an admin: %j', async (headers) => {
    const device = `devices/${admin.deviceId}`;
    await expectUnchanged(async () => {
      for (const [method, path, body] of [
        ['POST', 'request-clearance', { fingerprint: 'print' }],
        ['DELETE', 'devices', { device_id: admin.deviceId }],
        ['DELETE', 'devices', { all_others: true }],
        ['PATCH', device, { device_name: 'evil' }],
        ['POST', `${device}/suspend`, {}],
        ['POST', `requests/${randomUUID()}/approve`, { number: '12' }],
        ['POST', `requests/${randomUUID()}/deny`, {}],
        ['POST', 'status', { fingerprint: 'print' }],
      ] as const) {
        const refused = await admin.browser.send(`${mount}/${path}`, { method, body, headers });
        expect(refused, path).toBeProblem(403, 'auth.csrf_origin');
        expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
      }
    });
    expect((await lab.stored(admin.deviceId)).name).toBe('Chrome on macOS');
  });

  it('gets no permission for cookies or proofs from a preflight', async () => {
    const { headers } = await new TestClient(lab.app).send(
      'OPTIONS',
      `${mount}/status`,
      undefined,
      {
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'dpop',
        },
      },
    );
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(String(headers['access-control-allow-origin'])).not.toBe('https://evil.example');
  });
});
