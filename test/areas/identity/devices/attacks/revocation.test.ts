import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import { describe, expect } from 'vitest';
import { minuteMs } from '../../../../../src/lib/durations.ts';
import { me } from '../../../../support/abuse.ts';
import { createBearerClient, newKeys } from '../../../../support/bearer-devices.ts';
import { type DeviceBrowser, mount } from '../../../../support/devices.ts';
import { it } from '../../../../support/test.ts';
import { useDevices, withFactor } from '../support.ts';

const lab = await useDevices();
const { cleared, copy, expectRefused, newEmail, pass, signedIn, stateOf } = lab;

const statusOf = async (session: string | undefined) =>
  (await me(lab.app, { cookie: `svc_session=${session ?? ''}` })).status;
const sessionStatus = ({ jar }: DeviceBrowser) => statusOf(jar.get('svc_session'));

describe('case 51 › a removed device', () => {
  it('loses its session and cookies within the same request, for good', async () => {
    const { browser, deviceId } = await cleared();
    const session = browser.jar.get('svc_session');
    expect(await browser.revoke({ device_id: deviceId })).toMatchObject({
      status: 200,
      body: { revoked: true, device_id: deviceId, devices: 1, sessions_ended: 1 },
    });
    expect([...browser.jar.keys()]).toEqual([]);
    expect(await statusOf(session)).toBe(401);
    expect(await lab.stored(deviceId)).toMatchObject({
      state: 'revoked',
      secret_hash: null,
      previous_secret_hash: null,
    });
  });

  it('loses its bearer session: access token and refresh token', async () => {
    const email = newEmail();
    const holder = await createBearerClient(lab.app, { email, roles: ['admin'] }, lab);
    const keys = await newKeys();
    const asked = await holder.ask({ keys });
    await lab.clear(asked);
    expect(await holder.me({ scheme: 'DPoP', keys })).toMatchObject({ status: 200 });
    const { browser } = await cleared({ email });
    expect(await browser.revoke({ device_id: asked.body.device_id })).toMatchObject({
      status: 200,
      body: { sessions_ended: 1 },
    });
    expect(await holder.me({ scheme: 'DPoP', keys })).toMatchObject({ status: 401 });
    expect(await holder.refresh({ keys })).toBeProblem(400, 'auth.invalid_grant');
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it.each(['admin', 'viewer'] as const)(
    'is removed again by its owner, whose first response was lost, with the role %s',
    async (role) => {
      const { browser, deviceId } = await cleared({ roles: [role] });
      const other = await signedIn({ email: browser.self.email, roles: [role] });
      for (const ended of [1, 0])
        expect(await other.revoke({ device_id: deviceId })).toMatchObject({
          status: 200,
          body: { revoked: true, sessions_ended: ended },
        });
    },
  );
});

describe('permission to remove devices', () => {
  it('case 51 › ids of other users and unknown ids get an identical 404', async () => {
    const { deviceId: foreign } = await cleared();
    const { browser } = await cleared({ roles: [] });
    const bodies = new Set<string>();
    await lab.expectUnchanged(async () => {
      for (const id of [foreign, randomUUID(), foreign.toUpperCase()]) {
        const refused = await browser.revoke({ device_id: id });
        expect(refused).toMatchObject({ status: 404 });
        const {
          trace_id: _trace,
          request_id: _request,
          instance: _instance,
          ...body
        } = refused.body;
        bodies.add(JSON.stringify(body));
      }
    });
    expect(bodies.size).toBe(1);
  });

  it("another user's device can not be renamed, suspended or restored", async () => {
    const { deviceId } = await cleared();
    const { browser } = await cleared({ roles: [], acr: 'aal2' });
    const notFound = 'blackops.device_not_found';
    await expectRefused(() => browser.rename(deviceId, 'mine'), 404, notFound);
    await expectRefused(() => browser.suspend(deviceId), 404, notFound);
    await expectRefused(() => browser.restore(deviceId), 404, notFound);
  });

  it("an admin whose own device is not cleared can not remove another user's", async () => {
    const { browser: owner, deviceId } = await cleared();
    const uncleared = await signedIn();
    const removal = () => uncleared.revoke({ device_id: deviceId });
    await expectRefused(removal, 403, 'blackops.device_not_cleared');
    const list = () => uncleared.call(`${mount}/devices?user_id=${owner.self.userId}`);
    await expectRefused(list, 403, 'blackops.device_not_cleared');
  });

  it("a fingerprint removes only the user's own devices with it", async () => {
    const { deviceId: foreign } = await cleared();
    const { browser: owner, deviceId: own } = await cleared();
    const browser = await signedIn({ email: owner.self.email, roles: [] });
    expect(await browser.revoke({ fingerprint: 'another print' })).toBeProblem(
      404,
      'blackops.device_not_found',
    );
    expect(await browser.revoke({ fingerprint: 'print' })).toMatchObject({
      status: 200,
      body: { devices: 1 },
    });
    expect(await stateOf(own)).toBe('revoked');
    expect(await stateOf(foreign)).toBe('cleared');
  });

  it('a stale sign-in removes its own device and no other', async () => {
    const email = newEmail();
    const { deviceId: other } = await cleared({ email });
    const { browser, deviceId } = await cleared({ email });
    pass(6 * minuteMs);
    for (const body of [{ device_id: other }, { all_others: true }, { fingerprint: 'print' }])
      await expectRefused(() => browser.revoke(body), 401, 'auth.step_up_required');
    expect(await browser.revoke({ device_id: deviceId })).toMatchObject({ status: 200 });
    expect(await stateOf(other)).toBe('cleared');
  });

  it('a stale session copied without the device cookie removes no device', async () => {
    const { browser, deviceId } = await cleared();
    pass(6 * minuteMs);
    const thief = copy(browser, { cookies: ['svc_session'] });
    for (const body of [{ device_id: deviceId }, { all_others: true }])
      await expectRefused(() => thief.revoke(body), 401, 'auth.step_up_required');
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('all_others keeps the current device and the devices of other users', async () => {
    const email = newEmail();
    const others = [await cleared({ email }), await cleared({ email }, { hasKey: true })];
    const { deviceId: foreign } = await cleared();
    const { browser, deviceId } = await cleared({ email });
    expect(await browser.revoke({ all_others: true })).toMatchObject({
      status: 200,
      body: { devices: 2, device_id: null, sessions_ended: 2 },
    });
    for (const other of others) {
      expect(await stateOf(other.deviceId)).toBe('revoked');
      expect(await sessionStatus(other.browser)).toBe(401);
    }
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await stateOf(foreign)).toBe('cleared');
    expect(await browser.console()).toMatchObject({ status: 200 });
  });
});

describe('other events that end approval', () => {
  it('disabling a user ends all devices and sessions for good', async () => {
    const { browser, deviceId } = await cleared();
    const { email, userId } = browser.self;
    const waiting = await lab.pending({ email });
    await lab.app.services.users.setDisabled(userId, true);
    expect(await sessionStatus(browser)).toBe(401);
    expect(await stateOf(deviceId)).toBe('revoked');
    expect(await stateOf(waiting.deviceId)).toBe('revoked');
    expect(await lab.clear(waiting.asked)).toMatchObject({ status: 409 });
    await lab.app.services.users.setDisabled(userId, false);
    expect(await sessionStatus(browser)).toBe(401);
    expect(await stateOf(deviceId)).toBe('revoked');
  });

  it('signing out everywhere removes all devices, and none with keep_current', async () => {
    const email = newEmail();
    const { deviceId: other } = await cleared({ email });
    const { browser, deviceId } = await cleared({ email });
    const endSessions = (query = '') =>
      browser.call(`/api/auth/sessions${query}`, { method: 'DELETE' });
    expect(await endSessions('?keep_current=true')).toMatchObject({ status: 200 });
    for (const id of [other, deviceId]) expect(await stateOf(id)).toBe('cleared');
    expect(await sessionStatus(browser)).toBe(200);
    expect(await endSessions()).toMatchObject({ status: 200 });
    for (const id of [other, deviceId]) expect(await stateOf(id)).toBe('revoked');
    expect(await sessionStatus(browser)).toBe(401);
  });

  it('removing the second factor removes the other devices and their sessions', async () => {
    const email = newEmail();
    const other = await cleared({ email });
    const { browser, deviceId } = await cleared({ email, ...withFactor });
    const { body } = await browser.post('/api/auth/2fa/totp');
    const epoch = Math.floor(lab.now() / 1000);
    const code = await generate({ secret: String(body.secret), epoch });
    await browser.post('/api/auth/2fa/totp/confirm', { code });
    expect(await browser.call('/api/auth/2fa/totp', { method: 'DELETE' })).toMatchObject({
      status: 200,
    });
    expect(await stateOf(other.deviceId)).toBe('revoked');
    expect(await sessionStatus(other.browser)).toBe(401);
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await browser.console()).toMatchObject({ status: 200 });
  });
});
