import { exportJWK } from 'jose';
import { describe, expect } from 'vitest';
import { dayMs } from '../../../../../src/lib/durations.ts';
import { tally } from '../../../../support/abuse.ts';
import { asAdmin } from '../../../../support/app.ts';
import { newKeys } from '../../../../support/bearer-devices.ts';
import { TestClient } from '../../../../support/client.ts';
import { type DeviceBrowser, mount, signProof } from '../../../../support/devices.ts';
import { it } from '../../../../support/test.ts';
import { useDevices } from '../support.ts';

const lab = await useDevices();
const { cleared, copy, devicesOf, expectRefused, newEmail, pass, pending, signedIn, stateOf } = lab;

async function openRequests({ self }: DeviceBrowser): Promise<number> {
  const devices = await devicesOf(self.userId);
  const requests = await Promise.all(devices.map(({ id }) => lab.requestsOf(id)));
  return requests.flat().filter(({ state }) => state === 'open').length;
}

describe('request spam', () => {
  it('a fourth open request gets the time to wait, and creates no device', async () => {
    const email = newEmail();
    for (let at = 0; at < 3; at += 1) await pending({ email });
    const fourth = await signedIn({ email });
    const refused = await expectRefused(fourth.ask, 429, 'blackops.too_many_requests');
    expect(refused.body.retry_after).toEqual(expect.any(Number));
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.headers).not.toHaveProperty('set-cookie');
  });

  it('nine sessions in parallel get at most three open requests', async () => {
    const first = await signedIn();
    const browsers = [first];
    while (browsers.length < 9) browsers.push(await signedIn({ email: first.self.email }));
    const responses = await Promise.all(browsers.map(({ ask }) => ask()));
    expect(await openRequests(first)).toBe(3);
    expect(tally(responses)).toEqual({ 200: 3, 429: 6 });
  });

  it('an eleventh request in a day is refused, even when earlier ones were withdrawn', async () => {
    const email = newEmail();
    for (let at = 0; at < 10; at += 1) {
      const { browser, deviceId } = await pending({ email });
      expect(await browser.revoke({ device_id: deviceId })).toMatchObject({ status: 200 });
    }
    const eleventh = await signedIn({ email });
    expect(await eleventh.ask()).toMatchObject({ status: 429 });
    expect(await openRequests(eleventh)).toBe(0);
    pass(dayMs + 1000);
    await pending({ email });
  });

  it('a repeated request returns the open one, without another audit entry', async () => {
    const { browser, requestId, number } = await pending();
    const again = await lab.expectUnchanged(() =>
      browser.ask({ reason: 'please', device_name: 'Other' }),
    );
    expect(again.body).toMatchObject({ request_id: requestId, number });
  });
});

describe('a new request for approval', () => {
  it('with a denied device is refused', async () => {
    const { browser, requestId } = await pending();
    await new TestClient(lab.app).as(asAdmin).post(`${mount}/requests/${requestId}/deny`, {});
    await expectRefused(browser.ask, 403, 'blackops.device_denied');
  });

  it('with a suspended device is refused', async () => {
    const { browser, deviceId } = await cleared();
    await lab.suspendBySystem(deviceId, 'admin');
    await expectRefused(browser.ask, 403, 'blackops.device_suspended');
  });

  it('with the cookie or id of a revoked device is refused', async () => {
    const { browser, deviceId } = await cleared();
    await lab.revokeBySystem(deviceId);
    const again = await signedIn({ email: browser.self.email });
    again.jar.set('svc_device', browser.jar.get('svc_device') ?? '');
    const revoked = 'blackops.device_revoked';
    const refused = await expectRefused(again.ask, 403, revoked);
    expect(String(refused.headers['set-cookie'])).toContain('svc_device=; ');
    await expectRefused(() => again.ask({ device_id: deviceId }), 403, revoked);
    const fresh = await again.ask();
    expect(fresh).toMatchObject({ status: 200, body: { state: 'pending' } });
    expect(fresh.body.device_id).not.toBe(deviceId);
  });

  it("with the id of another user's revoked device reveals nothing about it", async () => {
    const { deviceId } = await cleared();
    await lab.revokeBySystem(deviceId);
    const { body } = await (await signedIn()).ask({ device_id: deviceId });
    expect(body).toMatchObject({ state: 'pending' });
    expect(body.device_id).not.toBe(deviceId);
  });
});

describe('keys at enrolment', () => {
  it('a new key with the stolen cookie of a cleared device is not bound to it', async () => {
    const { browser, deviceId } = await cleared();
    const thief = copy(browser);
    await thief.makeKey();
    expect(await thief.ask()).toMatchObject({
      status: 200,
      body: { binding: 'cookie', number: null },
    });
    expect(await thief.status()).toMatchObject({ status: 200, body: { binding: 'cookie' } });
    expect((await lab.stored(deviceId)).jkt).toBeNull();
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('another key with the cookies of a device with a key suspends it', async () => {
    const { browser, deviceId } = await cleared({}, { hasKey: true });
    const { jkt } = await lab.stored(deviceId);
    const thief = copy(browser);
    await thief.makeKey();
    expect(await thief.ask()).toMatchObject({
      status: 401,
      body: { code: 'blackops.invalid_dpop_proof', fault: 'other_key' },
    });
    const reasons = ['proof_failed'];
    expect(await lab.stored(deviceId)).toMatchObject({ state: 'suspended', jkt, reasons });
  });

  it('a public key without its own proof creates no device', async () => {
    const browser = await signedIn();
    const { kty, crv, x, y } = await exportJWK((await newKeys()).publicKey);
    const ask = () => browser.ask({ public_key: { kty, crv, x, y } });
    await lab.expectUnchanged(async () => {
      expect(await ask()).toMatchObject({ status: 401, body: { fault: 'missing' } });
      await browser.makeKey();
      expect(await ask()).toMatchObject({ status: 401, body: { fault: 'other_key' } });
    });
  });

  it('the key of user A gives user B no access to a device of A', async () => {
    const { browser: owner, deviceId } = await cleared({}, { hasKey: true });
    const other = await signedIn();
    other.self.keys = owner.self.keys;
    expect((await other.status()).body).toMatchObject({ state: 'unknown', device_id: null });
    expect(await other.console()).toMatchObject({ status: 403, body: { device_state: 'unknown' } });
    const asked = await other.ask();
    expect(asked).toMatchObject({ status: 200, body: { state: 'pending', binding: 'key' } });
    expect(asked.body.device_id).not.toBe(deviceId);
    expect(await lab.stored(deviceId)).toMatchObject({
      state: 'cleared',
      user_id: owner.self.userId,
    });
  });

  it('a key of another device of the same user is not bound to an expired one', async () => {
    const email = newEmail();
    const { browser: first, deviceId } = await cleared({ email }, { hasKey: true });
    const { browser: second, deviceId: expired } = await cleared({ email });
    await lab.setDevice(expired, { expires_at: new Date(lab.now() - 1) });
    second.self.keys = first.self.keys;
    expect((await second.ask()).status).toBeLessThan(500);
    const withKey = (await devicesOf(first.self.userId)).filter(({ jkt }) => jkt !== null);
    expect(withKey).toHaveLength(1);
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('a proof at enrolment is valid once, in any session', async () => {
    const first = await signedIn();
    const second = await signedIn();
    const nonce = String((await first.status()).body.nonce);
    const url = `${mount}/request-clearance`;
    const keys = await newKeys();
    const dpop = await signProof({ keys, url, method: 'POST', nonce, at: lab.now() });
    const options = { method: 'POST', body: { fingerprint: 'print' }, headers: { dpop } } as const;
    expect(await first.send(url, options)).toMatchObject({ status: 200, body: { binding: 'key' } });
    expect(await second.send(url, options)).toMatchObject({
      status: 401,
      body: { fault: 'replayed' },
    });
    expect(await devicesOf(second.self.userId)).toEqual([]);
  });
});
