import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { me, parallel } from '../../../support/abuse.ts';
import { asAdmin, type TestApp } from '../../../support/app.ts';
import { createBearerClient, newKeys } from '../../../support/bearer-devices.ts';
import {
  type Cleared,
  clearByKey,
  clearedOn,
  copyOf,
  createDeviceBrowser,
  type DeviceBrowser,
  deviceInventory,
  entriesOf,
  mount,
  storedDevice,
} from '../../../support/devices.ts';

const minute = 60_000;
let offset = 0;
const now = () => Date.now() + offset;
const pass = (ms: number) => void (offset += ms);
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices', { clock: { now } });
});

let people = 0;
const someone = () => `revoking-${people++}@example.com`;
const cleared = (email = someone(), options: { hasKey?: boolean } = {}): Promise<Cleared> =>
  clearedOn(app, { email }, { now, ...options });
const stateOf = async (id: string) => (await storedDevice(app, id)).state;
const statusOfMe = async (browser: DeviceBrowser) =>
  (await me(app, { cookie: `svc_session=${browser.jar.get('svc_session') ?? ''}` })).status;

describe('case 51 › a removed device', () => {
  it('loses its session and cookies within the same request, for good', async () => {
    const { browser, deviceId } = await cleared();
    const session = browser.jar.get('svc_session') ?? '';
    const answer = await browser.revoke({ device_id: deviceId });
    expect(answer).toMatchObject({
      status: 200,
      body: { revoked: true, device_id: deviceId, devices: 1, sessions_ended: 1 },
    });
    expect([...browser.jar.keys()]).toEqual([]);
    expect((await me(app, { cookie: `svc_session=${session}` })).status).toBe(401);
    expect(await storedDevice(app, deviceId)).toMatchObject({
      state: 'revoked',
      secret_hash: null,
      previous_secret_hash: null,
    });
  });

  it('loses its bearer session: access token and refresh token', async () => {
    const email = someone();
    const holder = await createBearerClient(app, { email, roles: ['admin'] }, { now });
    const keys = await newKeys();
    const asked = await holder.ask({ keys });
    await clearByKey(app, asked, asAdmin.authorization);
    expect(await holder.me({ scheme: 'DPoP', keys })).toMatchObject({ status: 200 });
    const { browser } = await cleared(email);
    expect(await browser.revoke({ device_id: asked.body.device_id })).toMatchObject({
      status: 200,
      body: { sessions_ended: 1 },
    });
    expect(await holder.me({ scheme: 'DPoP', keys })).toMatchObject({ status: 401 });
    expect(await holder.refresh({ keys })).toMatchObject({
      status: 400,
      body: { code: 'auth.invalid_grant' },
    });
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('is removed once by five parallel requests', async () => {
    const email = someone();
    const { deviceId } = await cleared(email);
    const { browser } = await cleared(email);
    const answers = await parallel(5, () =>
      copyOf(app, browser, { now }).revoke({ device_id: deviceId }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + Number(body.sessions_ended), 0)).toBe(1);
    expect(
      (await entriesOf(app, deviceId)).filter(({ action }) => action === 'device.revoked'),
    ).toHaveLength(1);
    expect(await statusOfMe(browser)).toBe(200);
  });
});

describe('permission to remove devices', () => {
  it('case 51 › ids of other users and unknown ids get an identical 404', async () => {
    const { deviceId: foreign } = await cleared();
    const { browser } = await clearedOn(app, { email: someone(), roles: [] }, { now });
    const before = await deviceInventory(app);
    const texts = new Set<string>();
    for (const id of [foreign, randomUUID(), foreign.toUpperCase()]) {
      const {
        status,
        body: { trace_id: _trace, request_id: _request, instance: _instance, ...body },
      } = await browser.revoke({ device_id: id });
      expect({ id, status }).toEqual({ id, status: 404 });
      texts.add(JSON.stringify(body));
    }
    expect([...texts]).toHaveLength(1);
    expect(await deviceInventory(app)).toEqual(before);
  });

  it("another user's device can not be renamed, suspended or restored", async () => {
    const { deviceId } = await cleared();
    const { browser } = await clearedOn(app, { email: someone(), roles: [], acr: 'aal2' }, { now });
    const before = await deviceInventory(app);
    expect(
      await browser.call(`${mount}/devices/${deviceId}`, {
        method: 'PATCH',
        body: { device_name: 'mine' },
      }),
    ).toMatchObject({ status: 404 });
    for (const verb of ['suspend', 'restore'])
      expect(
        await browser.call(`${mount}/devices/${deviceId}/${verb}`, { method: 'POST' }),
      ).toMatchObject({ status: 404, body: { code: 'blackops.device_not_found' } });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it("an admin whose own device is not cleared can not remove another user's", async () => {
    const { deviceId } = await cleared();
    const uncleared = createDeviceBrowser(app, { now });
    await uncleared.signIn({ email: someone(), roles: ['admin'] });
    const before = await deviceInventory(app);
    expect(await uncleared.revoke({ device_id: deviceId })).toMatchObject({
      status: 403,
      body: { code: 'blackops.device_not_cleared' },
    });
    expect(
      await uncleared.call(
        `${mount}/devices?user_id=${(await storedDevice(app, deviceId)).user_id}`,
      ),
    ).toMatchObject({ status: 403 });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it("a fingerprint removes only the user's own devices with it", async () => {
    const { deviceId: foreign } = await cleared();
    const email = someone();
    const { deviceId: own } = await cleared(email);
    const browser = createDeviceBrowser(app, { now });
    await browser.signIn({ email });
    expect(await browser.revoke({ fingerprint: 'another print' })).toMatchObject({
      status: 404,
      body: { code: 'blackops.device_not_found' },
    });
    expect(await browser.revoke({ fingerprint: 'print' })).toMatchObject({
      status: 200,
      body: { devices: 1 },
    });
    expect({ ownState: await stateOf(own), foreignState: await stateOf(foreign) }).toEqual({
      ownState: 'revoked',
      foreignState: 'cleared',
    });
  });

  it('a stale sign-in removes its own device and no other', async () => {
    const email = someone();
    const { deviceId: other } = await cleared(email);
    const { browser, deviceId } = await cleared(email);
    pass(6 * minute);
    const before = await deviceInventory(app);
    for (const body of [{ device_id: other }, { all_others: true }, { fingerprint: 'print' }])
      expect(await browser.revoke(body)).toMatchObject({
        status: 401,
        body: { code: 'auth.step_up_required' },
      });
    expect(await deviceInventory(app)).toEqual(before);
    expect(await browser.revoke({ device_id: deviceId })).toMatchObject({ status: 200 });
    expect(await stateOf(other)).toBe('cleared');
  });

  it('a stale session copied without the device cookie removes no device', async () => {
    const { browser, deviceId } = await cleared();
    pass(6 * minute);
    const thief = copyOf(app, browser, { cookies: ['svc_session'], now });
    expect(await thief.revoke({ device_id: deviceId })).toMatchObject({
      status: 401,
      body: { code: 'auth.step_up_required' },
    });
    expect(await thief.revoke({ all_others: true })).toMatchObject({ status: 401 });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('all_others keeps the current device and the devices of other users', async () => {
    const email = someone();
    const others = [await cleared(email), await cleared(email, { hasKey: true })];
    const { deviceId: foreign } = await cleared();
    const { browser, deviceId } = await cleared(email);
    expect(await browser.revoke({ all_others: true })).toMatchObject({
      status: 200,
      body: { devices: 2, device_id: null, sessions_ended: 2 },
    });
    for (const other of others)
      expect({
        state: await stateOf(other.deviceId),
        statusOfMe: await statusOfMe(other.browser),
      }).toEqual({ state: 'revoked', statusOfMe: 401 });
    expect({
      deviceIdState: await stateOf(deviceId),
      foreignState: await stateOf(foreign),
      status: (await browser.console()).status,
    }).toEqual({ deviceIdState: 'cleared', foreignState: 'cleared', status: 200 });
  });
});

describe('other events that end clearance', () => {
  it('disabling a user ends all devices and sessions for good', async () => {
    const { browser, deviceId } = await cleared();
    const waiting = createDeviceBrowser(app, { now });
    await waiting.signIn({ email: `revoking-${people - 1}@example.com`, roles: ['admin'] });
    const asked = await waiting.ask();
    await app.services.users.setDisabled(browser.self.userId, true);
    expect({
      statusOfMe: await statusOfMe(browser),
      deviceIdState: await stateOf(deviceId),
      askedState: await stateOf(String(asked.body.device_id)),
    }).toEqual({ statusOfMe: 401, deviceIdState: 'revoked', askedState: 'revoked' });
    expect(await clearByKey(app, asked, asAdmin.authorization)).toMatchObject({ status: 409 });
    await app.services.users.setDisabled(browser.self.userId, false);
    expect({ statusOfMe: await statusOfMe(browser), state: await stateOf(deviceId) }).toEqual({
      statusOfMe: 401,
      state: 'revoked',
    });
  });

  it('signing out everywhere removes all devices, and none with keep_current', async () => {
    const email = someone();
    const { deviceId: other } = await cleared(email);
    const { browser, deviceId } = await cleared(email);
    expect(
      await browser.call('/api/auth/sessions?keep_current=true', { method: 'DELETE' }),
    ).toMatchObject({ status: 200 });
    expect({
      otherState: await stateOf(other),
      deviceIdState: await stateOf(deviceId),
      statusOfMe: await statusOfMe(browser),
    }).toEqual({ otherState: 'cleared', deviceIdState: 'cleared', statusOfMe: 200 });
    expect(await browser.call('/api/auth/sessions', { method: 'DELETE' })).toMatchObject({
      status: 200,
    });
    expect({
      otherState: await stateOf(other),
      deviceIdState: await stateOf(deviceId),
      statusOfMe: await statusOfMe(browser),
    }).toEqual({ otherState: 'revoked', deviceIdState: 'revoked', statusOfMe: 401 });
  });

  it('removing the second factor removes the other devices and their sessions', async () => {
    const email = someone();
    const { browser: otherBrowser, deviceId: other } = await cleared(email);
    const { browser, deviceId } = await clearedOn(
      app,
      { email, acr: 'aal2', amr: ['otp', 'totp'] },
      { now },
    );
    const {
      body: { secret },
    } = await browser.call('/api/auth/2fa/totp', { method: 'POST', body: {} });
    await browser.call('/api/auth/2fa/totp/confirm', {
      method: 'POST',
      body: { code: await generate({ secret: String(secret), epoch: Math.floor(now() / 1000) }) },
    });
    expect(await browser.call('/api/auth/2fa/totp', { method: 'DELETE' })).toMatchObject({
      status: 200,
    });
    expect({ state: await stateOf(other), statusOfMe: await statusOfMe(otherBrowser) }).toEqual({
      state: 'revoked',
      statusOfMe: 401,
    });
    expect({ state: await stateOf(deviceId), status: (await browser.console()).status }).toEqual({
      state: 'cleared',
      status: 200,
    });
  });
});
