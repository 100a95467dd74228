import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { parallel, tally } from '../../../support/abuse.ts';
import type { TestApp } from '../../../support/app.ts';
import {
  clearedOn,
  copyOf,
  createDeviceBrowser,
  type DeviceBrowser,
  deviceInventory,
  entriesOf,
  firefoxOnWindows,
  mount,
  places,
  storedDevice,
} from '../../../support/devices.ts';

const minute = 60_000;
let offset = 0;
const now = () => Date.now() + offset;
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices', { clock: { now } });
});

const pass = (ms: number) => void (offset += ms);
let people = 0;
const admin = (options: { hasKey?: boolean; address?: string } = {}) =>
  clearedOn(app, { email: `cookies-${people++}@example.com` }, { now, ...options });
const deviceCookie = (browser: DeviceBrowser) => browser.jar.get('svc_device') ?? '';
const stateOf = async (id: string) => (await storedDevice(app, id)).state;

/**
 * Asserts that the console is refused, and that nothing is revealed, issued or changed.
 */
async function expectNothing(thief: DeviceBrowser, missing: readonly string[] = ['clearance']) {
  const before = await deviceInventory(app);
  const shown = await thief.console();
  expect(shown).toMatchObject({
    status: 403,
    body: { code: 'blackops.device_not_cleared', requirements: missing },
  });
  expect(shown.headers).not.toHaveProperty('set-cookie');
  expect(shown.body).not.toHaveProperty('states');
  expect(await deviceInventory(app)).toEqual(before);
}

describe('a copied session cookie', () => {
  it('does not open the console without the device cookie, and its device is unknown', async () => {
    const { browser, deviceId } = await admin();
    const thief = copyOf(app, browser, { cookies: ['svc_session'], now });
    await expectNothing(thief);
    expect(await thief.status()).toMatchObject({
      status: 200,
      body: { state: 'unknown', device_id: null, cleared: false },
    });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('case 49 › with the fingerprint of the cleared device is not cleared', async () => {
    const { browser, deviceId } = await admin();
    pass(2 * minute);
    const thief = copyOf(app, browser, { cookies: ['svc_session'], now });
    expect(await thief.status({ fingerprint: 'print', device_id: deviceId })).toMatchObject({
      body: { state: 'unknown', device_id: null, trust_score: 0 },
    });
    await expectNothing(thief);
    expect(await thief.ask({ fingerprint: 'print', device_id: deviceId })).toMatchObject({
      status: 200,
      body: { state: 'pending' },
    });
    expect(await thief.console()).toMatchObject({ status: 403 });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('does not get the number of a request that the owner has just made', async () => {
    const owner = createDeviceBrowser(app, { now });
    await owner.signIn({ email: 'just-asked@example.com', roles: ['admin'] });
    const asked = await owner.ask();
    const { body } = await copyOf(app, owner, { cookies: ['svc_session'], now }).ask();
    expect(body).not.toMatchObject({
      request_id: asked.body.request_id,
      number: asked.body.number,
    });
  });
});

describe('both copied cookies of a device with a key', () => {
  it('can not write, even right after the owner has proved the key', async () => {
    const { browser, deviceId } = await admin({ hasKey: true });
    await browser.status();
    const thief = copyOf(app, browser, { now });
    const before = await deviceInventory(app);
    expect(
      await thief.call(`${mount}/requests/${randomUUID()}/approve`, {
        method: 'POST',
        body: { number: '00' },
      }),
    ).toMatchObject({ status: 403, body: { requirements: ['key_proof'] } });
    expect(await deviceInventory(app)).toEqual(before);
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('can not read from another address after a proof, nor five minutes later', async () => {
    const { browser } = await admin({ hasKey: true });
    await browser.status();
    expect(await browser.call(`${mount}/dashboard`, { prove: false })).toMatchObject({
      status: 200,
    });
    await expectNothing(copyOf(app, browser, { address: '198.51.100.7', now }), ['key_proof']);
    pass(5 * minute + 1000);
    const later = await browser.call(`${mount}/dashboard`, { prove: false });
    expect(later).toMatchObject({ status: 403, body: { requirements: ['key_proof'] } });
  });

  it('suspend the device when another browser uses them, and get no further details', async () => {
    const { browser, deviceId } = await admin({ hasKey: true });
    await browser.status();
    pass(6 * minute);
    const thief = copyOf(app, browser, { userAgent: firefoxOnWindows, now });
    expect(await thief.console()).toMatchObject({
      status: 403,
      body: { device_state: 'suspended' },
    });
    expect(await storedDevice(app, deviceId)).toMatchObject({
      state: 'suspended',
      reasons: expect.arrayContaining(['browser_changed', 'os_changed']) as string[],
    });
    await expectNothing(thief, ['clearance']);
    expect(
      (await entriesOf(app, deviceId)).filter(({ action }) => action === 'device.suspended'),
    ).toHaveLength(1);
  });

  it('suspend the device when the status is requested without the key', async () => {
    const { browser, deviceId } = await admin({ hasKey: true });
    const thief = copyOf(app, browser, { now });
    expect(await thief.status()).toMatchObject({
      status: 200,
      body: { state: 'suspended', reasons: [{ code: 'key_missing' }] },
    });
    expect(await stateOf(deviceId)).toBe('suspended');
    expect(await browser.console()).toMatchObject({ status: 403 });
  });
});

describe('both copied cookies of a device without a key', () => {
  it('case 52 › suspend the device at the next rotation when two clients use them', async () => {
    const { browser, deviceId } = await admin();
    const thief = copyOf(app, browser, { now });
    pass(6 * minute);
    expect(await thief.console()).toMatchObject({ status: 200 });
    expect(deviceCookie(thief)).not.toBe(deviceCookie(browser));
    await thief.console();
    pass(minute);
    expect(await browser.console()).toMatchObject({
      status: 403,
      body: { device_state: 'suspended' },
    });
    expect(await thief.console()).toMatchObject({
      status: 403,
      body: { device_state: 'suspended' },
    });
    expect(await storedDevice(app, deviceId)).toMatchObject({
      state: 'suspended',
      reasons: ['secret_reused'],
    });
    expect(
      (await entriesOf(app, deviceId)).filter(({ action }) => action === 'device.suspended'),
    ).toHaveLength(1);
  });

  it('do not get a suspended device a new secret, at any age of its secret', async () => {
    const { browser, deviceId } = await admin();
    await app.services.devices.management.suspend(
      deviceId,
      'all',
      { actor: { kind: 'system' } },
      'admin',
    );
    pass(20 * minute);
    const { secret_hash: before } = await storedDevice(app, deviceId);
    await expectNothing(browser);
    expect((await browser.status()).headers).not.toHaveProperty('set-cookie');
    expect((await storedDevice(app, deviceId)).secret_hash).toBe(before);
  });

  it('suspend the device when used in a country where the owner never was', async () => {
    const { browser, deviceId } = await admin({ address: places.us });
    const thief = copyOf(app, browser, { address: places.jp, now });
    expect(await thief.console()).toMatchObject({
      status: 403,
      body: { device_state: 'suspended' },
    });
    expect((await storedDevice(app, deviceId)).countries).toEqual(['US']);
    expect(await browser.console()).toMatchObject({ status: 403 });
  });
});

describe('a browser that is slow or loses responses', () => {
  it('is not suspended by fifty calls around a rotation; all get the same new cookie', async () => {
    const { browser, deviceId } = await admin();
    pass(6 * minute);
    const copies = Array.from({ length: 50 }, () => copyOf(app, browser, { now }));
    const answers = await parallel(50, (at) => copies[at]?.status() ?? browser.status());
    expect(tally(answers)).toEqual({ 200: 50 });
    expect(new Set(copies.map(deviceCookie)).size).toBe(1);
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await entriesOf(app, deviceId)).toHaveLength(2);
  });

  it('gets the same new cookie again when a response is lost', async () => {
    const { browser, deviceId } = await admin();
    pass(6 * minute);
    const lost = copyOf(app, browser, { now });
    await lost.status();
    pass(10 * minute);
    await browser.status();
    expect(deviceCookie(browser)).toBe(deviceCookie(lost));
    expect(await browser.console()).toMatchObject({ status: 200 });
    expect(await stateOf(deviceId)).toBe('cleared');
  });
});

describe('a browser that has lost its device cookie but not its key', () => {
  it('is not suspended when it proves the key eight times in parallel', async () => {
    const { browser, deviceId } = await admin({ hasKey: true });
    browser.jar.delete('svc_device');
    const copies = Array.from({ length: 8 }, () => copyOf(app, browser, { now }));
    for (const copy of copies)
      Object.assign(copy.self, { keys: browser.self.keys, nonce: browser.self.nonce });
    const answers = await parallel(8, (at) => (copies[at] ?? browser).status());
    expect(tally(answers)).toEqual({ 200: 8 });
    const [last = ''] = copies.map(deviceCookie).filter((value) => value !== '');
    browser.jar.set('svc_device', last);
    expect(await browser.status()).toMatchObject({
      body: { state: 'cleared', device_id: deviceId },
    });
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('gets no cookie without a proof of the key, nor by a proof in another session', async () => {
    const { browser } = await admin({ hasKey: true });
    browser.jar.delete('svc_device');
    expect(
      (
        await browser.call(`${mount}/status`, {
          method: 'POST',
          body: { fingerprint: 'print' },
          prove: false,
        })
      ).headers,
    ).not.toHaveProperty('set-cookie');
    const stranger = createDeviceBrowser(app, { now });
    await stranger.signIn({ email: `cookies-${people++}@example.com`, roles: ['admin'] });
    stranger.self.keys = browser.self.keys;
    expect((await stranger.status()).headers).not.toHaveProperty('set-cookie');
  });
});

describe('device cookies that do not belong to the session', () => {
  it('a forged secret for a real device is unknown and harms nobody', async () => {
    const { browser, deviceId } = await admin();
    const before = await deviceInventory(app);
    for (const secret of [
      'A'.repeat(64),
      `${deviceCookie(browser).slice(37, -1)}${deviceCookie(browser).endsWith('A') ? 'B' : 'A'}`,
      '',
    ]) {
      const thief = copyOf(app, browser, { now });
      thief.jar.set('svc_device', `${deviceId}.${secret}`);
      await expectNothing(thief);
      expect(await thief.status()).toMatchObject({
        status: 200,
        body: { state: 'unknown', device_id: null },
      });
    }
    expect(await deviceInventory(app)).toEqual(before);
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('a secret of one device does not open another device of the same user', async () => {
    const { browser } = await admin();
    const { deviceId: other } = await admin();
    const thief = copyOf(app, browser, { now });
    thief.jar.set('svc_device', `${other}.${deviceCookie(browser).slice(37)}`);
    await expectNothing(thief);
    expect(await stateOf(other)).toBe('cleared');
  });

  it('case 52 › a device cookie of another user is flagged and gives no access', async () => {
    const [{ browser: owner, deviceId }, { browser: thief }] = [await admin(), await admin()];
    thief.jar.set('svc_device', deviceCookie(owner));
    expect(await thief.console()).toMatchObject({ status: 403, body: { device_state: 'unknown' } });
    expect(await thief.status()).toMatchObject({ body: { state: 'unknown', device_id: null } });
    const flags = (await entriesOf(app, deviceId)).filter(
      ({ action }) => action === 'device.flagged',
    );
    expect(flags[0]).toMatchObject({
      reason: 'foreign_cookie',
      outcome: 'denied',
      byId: thief.self.userId,
    });
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await owner.console()).toMatchObject({ status: 200 });
  });

  it('two device cookies in one request count as none', async () => {
    const { browser, deviceId } = await admin();
    const header = [
      `svc_session=${browser.jar.get('svc_session') ?? ''}`,
      `svc_device=${deviceCookie(browser)}`,
      `svc_device=${deviceId}.${'A'.repeat(64)}`,
    ].join('; ');
    expect(await browser.call(`${mount}/dashboard`, { headers: { cookie: header } })).toMatchObject(
      { status: 403, body: { device_state: 'unknown' } },
    );
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('a secret that a restore has replaced gives no access', async () => {
    const { browser, deviceId } = await admin();
    const thief = copyOf(app, browser, { now });
    await app.services.devices.management.suspend(
      deviceId,
      'all',
      { actor: { kind: 'system' } },
      'owner',
    );
    await browser.signIn({
      email: `cookies-${people - 1}@example.com`,
      roles: ['admin'],
      acr: 'aal2',
      amr: ['otp', 'totp'],
    });
    expect(
      await browser.call(`${mount}/devices/${deviceId}/restore`, { method: 'POST' }),
    ).toMatchObject({ status: 200, body: { state: 'cleared' } });
    expect(deviceCookie(browser)).not.toBe(deviceCookie(thief));
    expect(await browser.console()).toMatchObject({ status: 200 });
    expect(await thief.console()).toMatchObject({ status: 403 });
    expect((await thief.status()).headers).not.toHaveProperty('set-cookie');
  });
});
