import { beforeAll, describe, expect } from 'vitest';
import { parallel, tally } from '../../../support/abuse.ts';
import { asAdmin, type TestApp } from '../../../support/app.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { newKeys } from '../../../support/bearer-devices.ts';
import {
  clearByKey,
  clearedOn,
  copyOf,
  createDeviceBrowser,
  type DeviceBrowser,
  deviceInventory,
  entriesOf,
  mount,
  signProof,
  storedDevice,
} from '../../../support/devices.ts';

const minute = 60_000;
const hour = 60 * minute;
let offset = 0;
const now = () => Date.now() + offset;
const pass = (ms: number) => void (offset += ms);
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices', { clock: { now } });
});

let people = 0;
const someone = () => `requests-${people++}@example.com`;
async function signedIn(email = someone()): Promise<DeviceBrowser> {
  const browser = createDeviceBrowser(app, { now });
  await browser.signIn({ email, roles: ['admin'] });
  return browser;
}
const devicesOf = (userId: string) =>
  app.stores.db.selectFrom('devices').selectAll().where('user_id', '=', userId).execute();
const openOf = async (userId: string) =>
  (
    await app.stores.db
      .selectFrom('clearance_requests')
      .select('id')
      .where('user_id', '=', userId)
      .where('state', '=', 'open')
      .execute()
  ).length;
const system = { actor: { kind: 'system' as const } };

describe('request spam', () => {
  it('a fourth open request gets the time to wait, and creates no device', async () => {
    const email = someone();
    for (let at = 0; at < 3; at += 1)
      expect(await (await signedIn(email)).ask()).toMatchObject({ status: 200 });
    const fourth = await signedIn(email);
    const before = await deviceInventory(app);
    const refused = await fourth.ask();
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'blackops.too_many_requests', retry_after: expect.any(Number) as number },
    });
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('nine sessions in parallel get at most three open requests', async () => {
    const email = someone();
    const browsers: DeviceBrowser[] = [];
    for (let at = 0; at < 9; at += 1) browsers.push(await signedIn(email));
    const answers = await Promise.all(browsers.map((browser) => browser.ask()));
    expect(await openOf(browsers[0]?.self.userId ?? '')).toBe(3);
    expect(tally(answers)).toEqual({ 200: 3, 429: 6 });
  });

  it('an eleventh request in a day is refused, also when earlier ones were withdrawn', async () => {
    const email = someone();
    for (let at = 0; at < 10; at += 1) {
      const browser = await signedIn(email);
      const { body } = await browser.ask();
      expect(await browser.revoke({ device_id: body.device_id })).toMatchObject({ status: 200 });
    }
    const eleventh = await signedIn(email);
    expect(await eleventh.ask()).toMatchObject({ status: 429 });
    expect(await openOf(eleventh.self.userId)).toBe(0);
    pass(24 * hour + 1000);
    expect(await (await signedIn(email)).ask()).toMatchObject({ status: 200 });
  });

  it('twenty parallel requests of one session create one device and one request', async () => {
    const browser = await signedIn();
    const answers = await parallel(20, () => copyOf(app, browser, { now }).ask());
    expect(tally(answers)).toEqual({ 200: 20 });
    expect(new Set(answers.map(({ body }) => body.device_id)).size).toBe(1);
    expect(await devicesOf(browser.self.userId)).toHaveLength(1);
    expect(await openOf(browser.self.userId)).toBe(1);
    expect((await entriesOf(app, answers[0]?.body.device_id)).map(({ action }) => action)).toEqual([
      'device.requested',
    ]);
  });

  it('a repeated request returns the open one, without another audit entry', async () => {
    const browser = await signedIn();
    const first = await browser.ask();
    const before = await deviceInventory(app);
    expect((await browser.ask({ reason: 'please', device_name: 'Other' })).body).toMatchObject({
      request_id: first.body.request_id,
      number: first.body.number,
    });
    expect(await deviceInventory(app)).toEqual(before);
  });
});

describe('a new request for clearance', () => {
  it('with a denied device is refused', async () => {
    const browser = await signedIn();
    const { body } = await browser.ask();
    await app.http.inject({
      method: 'POST',
      url: `${mount}/requests/${String(body.request_id)}/deny`,
      headers: { ...asAdmin, 'content-type': 'application/json' },
      payload: '{}',
    });
    const before = await deviceInventory(app);
    expect(await browser.ask()).toMatchObject({
      status: 403,
      body: { code: 'blackops.device_denied' },
    });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('with a suspended device is refused', async () => {
    const { browser, deviceId } = await clearedOn(app, { email: someone() }, { now });
    await app.services.devices.management.suspend(deviceId, 'all', system, 'admin');
    const before = await deviceInventory(app);
    expect(await browser.ask()).toMatchObject({
      status: 403,
      body: { code: 'blackops.device_suspended' },
    });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('with the cookie or id of a revoked device is refused', async () => {
    const email = someone();
    const { browser, deviceId } = await clearedOn(app, { email }, { now });
    const cookie = browser.jar.get('svc_device') ?? '';
    await app.services.devices.management.revoke(deviceId, 'all', system, 'test');
    const again = await signedIn(email);
    again.jar.set('svc_device', cookie);
    const before = await deviceInventory(app);
    const refused = await again.ask();
    expect(refused).toMatchObject({ status: 403, body: { code: 'blackops.device_revoked' } });
    expect(String(refused.headers['set-cookie'])).toContain('svc_device=; ');
    expect(await again.ask({ device_id: deviceId })).toMatchObject({
      status: 403,
      body: { code: 'blackops.device_revoked' },
    });
    expect(await deviceInventory(app)).toEqual(before);
    const fresh = await again.ask();
    expect(fresh).toMatchObject({ status: 200, body: { state: 'pending' } });
    expect(fresh.body.device_id).not.toBe(deviceId);
  });

  it("with the id of another user's revoked device reveals nothing about it", async () => {
    const { deviceId } = await clearedOn(app, { email: someone() }, { now });
    await app.services.devices.management.revoke(deviceId, 'all', system, 'test');
    const { body } = await (await signedIn()).ask({ device_id: deviceId });
    expect(body).toMatchObject({ state: 'pending' });
    expect(body.device_id).not.toBe(deviceId);
  });

  it('after 72 hours opens one new request', async () => {
    const browser = await signedIn();
    const first = await browser.ask();
    pass(72 * hour + 1000);
    await browser.signIn({ email: `requests-${people - 1}@example.com`, roles: ['admin'] });
    expect(await browser.status()).toMatchObject({ body: { state: 'expired' } });
    expect(await openOf(browser.self.userId)).toBe(0);
    const again = await browser.ask();
    expect(again).toMatchObject({
      status: 200,
      body: { state: 'pending', device_id: first.body.device_id },
    });
    expect(again.body.request_id).not.toBe(first.body.request_id);
    expect(await clearByKey(app, first, asAdmin.authorization)).toMatchObject({ status: 409 });
    expect((await storedDevice(app, first.body.device_id)).state).toBe('pending');
  });
});

describe('keys at enrolment', () => {
  it('a new key with the stolen cookie of a cleared device is not bound to it', async () => {
    const { browser, deviceId } = await clearedOn(app, { email: someone() }, { now });
    const thief = copyOf(app, browser, { now });
    await thief.makeKey();
    expect(await thief.ask()).toMatchObject({
      status: 200,
      body: { binding: 'cookie', number: null },
    });
    expect(await thief.status()).toMatchObject({ status: 200, body: { binding: 'cookie' } });
    expect((await storedDevice(app, deviceId)).jkt).toBeNull();
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('another key with the cookies of a device with a key suspends it', async () => {
    const { browser, deviceId } = await clearedOn(app, { email: someone() }, { hasKey: true, now });
    const { jkt } = await storedDevice(app, deviceId);
    const thief = copyOf(app, browser, { now });
    await thief.makeKey();
    expect(await thief.ask()).toMatchObject({
      status: 401,
      body: { code: 'blackops.invalid_dpop_proof', fault: 'other_key' },
    });
    expect(await storedDevice(app, deviceId)).toMatchObject({
      state: 'suspended',
      jkt,
      reasons: ['proof_failed'],
    });
  });

  it('a public key without its own proof creates no device', async () => {
    const browser = await signedIn();
    const { kty, crv, x, y } = await (await import('jose')).exportJWK((await newKeys()).publicKey);
    const before = await deviceInventory(app);
    expect(await browser.ask({ public_key: { kty, crv, x, y } })).toMatchObject({
      status: 401,
      body: { fault: 'missing' },
    });
    await browser.makeKey();
    expect(await browser.ask({ public_key: { kty, crv, x, y } })).toMatchObject({
      status: 401,
      body: { fault: 'other_key' },
    });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('the key of user A gives user B no access to a device of A', async () => {
    const { browser: owner, deviceId } = await clearedOn(
      app,
      { email: someone() },
      { hasKey: true, now },
    );
    const other = await signedIn();
    other.self.keys = owner.self.keys;
    expect(await other.status()).toMatchObject({ body: { state: 'unknown', device_id: null } });
    expect(await other.console()).toMatchObject({ status: 403, body: { device_state: 'unknown' } });
    const asked = await other.ask();
    expect(asked).toMatchObject({ status: 200, body: { state: 'pending', binding: 'key' } });
    expect(asked.body.device_id).not.toBe(deviceId);
    expect(await storedDevice(app, deviceId)).toMatchObject({
      state: 'cleared',
      user_id: owner.self.userId,
    });
  });

  it('a key of another device of the same user is not bound to an expired one', async () => {
    const email = someone();
    const { browser: first, deviceId } = await clearedOn(app, { email }, { hasKey: true, now });
    const { browser: second, deviceId: expired } = await clearedOn(app, { email }, { now });
    await app.stores.db
      .updateTable('devices')
      .set({ expires_at: new Date(now() - 1) })
      .where('id', '=', expired)
      .execute();
    second.self.keys = first.self.keys;
    expect((await second.ask()).status).toBeLessThan(500);
    expect((await devicesOf(first.self.userId)).filter(({ jkt }) => jkt !== null)).toHaveLength(1);
    expect((await storedDevice(app, deviceId)).state).toBe('cleared');
  });

  it('a proof at enrolment is valid once, in any session', async () => {
    const [first, second] = [await signedIn(), await signedIn()];
    const keys = await newKeys();
    const { nonce } = (await first.status()).body;
    const headers = {
      dpop: await signProof({
        keys,
        url: `${mount}/request-clearance`,
        method: 'POST',
        nonce: String(nonce),
        at: now(),
      }),
    };
    const url = `${mount}/request-clearance`;
    expect(
      await first.send(url, { method: 'POST', body: { fingerprint: 'print' }, headers }),
    ).toMatchObject({ status: 200, body: { binding: 'key' } });
    expect(
      await second.send(url, { method: 'POST', body: { fingerprint: 'print' }, headers }),
    ).toMatchObject({ status: 401, body: { fault: 'replayed' } });
    expect(await devicesOf(second.self.userId)).toHaveLength(0);
  });
});
