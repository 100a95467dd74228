import { describe, expect } from 'vitest';
import { minuteMs } from '../../../../../src/lib/durations.ts';
import { parallel, tally } from '../../../../support/abuse.ts';
import { asAdmin } from '../../../../support/app.ts';
import { newKeys } from '../../../../support/bearer-devices.ts';
import { TestClient, type TestResponse } from '../../../../support/client.ts';
import { firefoxOnWindows, mount, places, signProof } from '../../../../support/devices.ts';
import { it } from '../../../../support/test.ts';
import { useDevices, withFactor } from '../support.ts';

const lab = await useDevices();
const { cleared, copy, pass, signedIn, stateOf } = lab;

async function suspended({
  hasKey = false,
  reason = 'owner',
}: { hasKey?: boolean; reason?: 'owner' | 'admin' } = {}) {
  const { browser, deviceId } = await cleared(withFactor, { hasKey });
  await lab.suspendBySystem(deviceId, reason);
  return { browser, deviceId, email: browser.self.email };
}

async function expectRefused(call: () => Promise<TestResponse>, status: number, code: string) {
  const refused = await lab.expectRefused(call, status, code);
  expect(refused.headers).not.toHaveProperty('set-cookie');
}
const notThisDevice = 'blackops.not_this_device';

describe('a suspended device is not restored', () => {
  it('from another device of its owner, cleared or not', async () => {
    const { deviceId, email } = await suspended();
    const other = await signedIn({ email, ...withFactor });
    await expectRefused(() => other.restore(deviceId), 403, notThisDevice);
    const { browser } = await cleared({ email, acr: 'aal2' });
    await expectRefused(() => browser.restore(deviceId), 403, notThisDevice);
  });

  it('without the second factor, or with a stale one', async () => {
    const { browser, deviceId } = await suspended();
    pass(5 * minuteMs + 1000);
    await expectRefused(() => browser.restore(deviceId), 401, 'blackops.aal2_required');
    await browser.signIn();
    await expectRefused(() => browser.restore(deviceId), 401, 'blackops.aal2_required');
  });

  it('without a proof of its key, or by a proof of another key or for another call', async () => {
    const { browser, deviceId } = await suspended({ hasKey: true });
    await browser.status();
    await expectRefused(() => browser.restore(deviceId, { prove: false }), 403, notThisDevice);
    const { keys = await newKeys(), nonce } = browser.self;
    const url = `${mount}/devices/${deviceId}/restore`;
    const proof = { keys, nonce, method: 'POST', url, at: lab.now() };
    for (const wrong of [
      { keys: await newKeys() },
      { url: `${mount}/status` },
      { method: 'GET' },
    ]) {
      const dpop = await signProof({ ...proof, ...wrong });
      await expectRefused(
        () => browser.restore(deviceId, { prove: false, headers: { dpop } }),
        401,
        'blackops.invalid_dpop_proof',
      );
    }
  });

  it('by its owner when an admin has suspended it', async () => {
    const { browser, deviceId } = await suspended({ reason: 'admin' });
    await expectRefused(() => browser.restore(deviceId), 403, notThisDevice);
  });

  it('by its owner as an admin on another cleared device: four eyes', async () => {
    const { deviceId, email } = await suspended({ reason: 'admin' });
    const { browser } = await cleared({ email, acr: 'aal2' });
    await expectRefused(() => browser.restore(deviceId), 403, notThisDevice);
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('by an admin whose device is not cleared, or whose sign-in is stale', async () => {
    const { deviceId } = await suspended();
    const uncleared = await signedIn({ acr: 'aal2' });
    const notCleared = 'blackops.device_not_cleared';
    await expectRefused(() => uncleared.restore(deviceId), 403, notCleared);
    const { browser } = await cleared();
    pass(5 * minuteMs + 1000);
    await lab.expectRefused(() => browser.restore(deviceId), 401, 'auth.step_up_required');
  });

  it('when it is cleared, pending, denied or expired', async () => {
    const notAllowed = 'blackops.transition_not_allowed';
    const { browser: owner, deviceId } = await cleared({ acr: 'aal2' });
    await expectRefused(() => owner.restore(deviceId), 409, notAllowed);
    const { browser, deviceId: pending } = await lab.pending(withFactor);
    await expectRefused(() => browser.restore(pending), 409, notAllowed);
    for (const state of ['denied', 'expired'] as const) {
      await lab.setDevice(pending, { state });
      await expectRefused(() => browser.restore(pending), 409, notAllowed);
    }
  });
});

describe('a restore', () => {
  it('happens once by ten parallel requests, and leaves one valid secret', async () => {
    const { browser, deviceId } = await suspended();
    const responses = await parallel(10, () => copy(browser).restore(deviceId));
    expect(tally(responses)[200]).toBe(1);
    expect(await lab.actions(deviceId)).toEqual([
      'device.requested',
      'device.cleared',
      'device.suspended',
      'device.restored',
    ]);
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('is not undone by a call in flight with the old cookie', async () => {
    const { browser, deviceId } = await suspended();
    const underWay = copy(browser);
    expect(await browser.restore(deviceId)).toMatchObject({ status: 200 });
    expect((await underWay.status()).headers).not.toHaveProperty('set-cookie');
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('works for the owner after a thief rotated the secret, and locks the thief out', async () => {
    const { browser, deviceId } = await cleared({ acr: 'aal2' });
    const thief = copy(browser);
    pass(6 * minuteMs);
    await thief.status();
    await thief.status();
    pass(minuteMs);
    expect((await browser.console()).body).toMatchObject({ device_state: 'suspended' });
    await browser.signIn(withFactor);
    expect(await browser.restore(deviceId)).toMatchObject({
      status: 200,
      body: { state: 'cleared' },
    });
    expect(await browser.console()).toMatchObject({ status: 200 });
    expect(await thief.console()).toMatchObject({ status: 403 });
  });

  it('by an admin accepts only the signals that broke a rule, and sets no cookie', async () => {
    const { browser, deviceId } = await cleared({}, { address: places.us });
    const thief = copy(browser, { userAgent: firefoxOnWindows, address: places.jp });
    expect((await thief.console()).body).toMatchObject({ device_state: 'suspended' });
    const { browser: admin } = await cleared();
    const cookie = admin.jar.get('svc_device');
    expect(await admin.restore(deviceId)).toMatchObject({
      status: 200,
      body: { state: 'cleared', current: false },
    });
    expect(admin.jar.get('svc_device')).toBe(cookie);
    expect((await lab.entries(deviceId)).at(-1)).toMatchObject({
      action: 'device.restored',
      by: 'user',
      byId: admin.self.userId,
    });
  });

  it('is not possible with ADMIN_API_KEY', async () => {
    const { deviceId } = await suspended();
    const byKey = new TestClient(lab.app).as(asAdmin);
    const restore = () => byKey.post(`${mount}/devices/${deviceId}/restore`);
    await expectRefused(restore, 401, 'request.unauthenticated');
  });
});
