import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { minuteMs } from '../../../../../src/lib/durations.ts';
import { parallel, tally } from '../../../../support/abuse.ts';
import {
  type DeviceBrowser,
  firefoxOnWindows,
  mount,
  places,
} from '../../../../support/devices.ts';
import { it } from '../../../../support/test.ts';
import { useDevices, withFactor } from '../support.ts';

const lab = await useDevices();
const { cleared, copy, pass, signedIn, stateOf, stored } = lab;
const session = { cookies: ['svc_session'] };
const suspended = { status: 403, body: { device_state: 'suspended' } };
const deviceCookie = ({ jar }: DeviceBrowser) => jar.get('svc_device') ?? '';

/** Expects that the console is refused, and that nothing is revealed, issued or changed. */
async function expectNothing(thief: DeviceBrowser, missing = 'clearance') {
  const refused = await lab.expectRefused(thief.console, 403, 'blackops.device_not_cleared');
  expect(refused.body.requirements).toEqual([missing]);
  expect(refused.headers).not.toHaveProperty('set-cookie');
}

const suspensions = async (id: string) =>
  (await lab.actions(id)).filter((action) => action === 'device.suspended').length;

describe('a copied session cookie', () => {
  it('does not open the console without the device cookie, and its device is unknown', async () => {
    const { browser, deviceId } = await cleared();
    const thief = copy(browser, session);
    await expectNothing(thief);
    expect(await thief.status()).toMatchObject({
      status: 200,
      body: { state: 'unknown', device_id: null, cleared: false },
    });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('case 49 › with the fingerprint of the cleared device is not cleared', async () => {
    const { browser, deviceId } = await cleared();
    pass(2 * minuteMs);
    const thief = copy(browser, session);
    expect((await thief.status({ device_id: deviceId })).body).toMatchObject({
      state: 'unknown',
      device_id: null,
      trust_score: 0,
    });
    await expectNothing(thief);
    expect(await thief.ask({ device_id: deviceId })).toMatchObject({
      status: 200,
      body: { state: 'pending' },
    });
    expect(await thief.console()).toMatchObject({ status: 403 });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('does not get the number of a request that the owner has just made', async () => {
    const { browser, requestId, number } = await lab.pending();
    const { body } = await copy(browser, session).ask();
    expect(body).not.toMatchObject({ request_id: requestId, number });
  });
});

describe('both copied cookies of a device with a key', () => {
  it('can not write, even right after the owner has proved the key', async () => {
    const { browser, deviceId } = await cleared({}, { hasKey: true });
    await browser.status();
    const refused = await lab.expectUnchanged(() => copy(browser).approve(randomUUID(), '00'));
    expect(refused).toMatchObject({ status: 403, body: { requirements: ['key_proof'] } });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('can not read from another address after a proof, nor five minutes later', async () => {
    const { browser } = await cleared({}, { hasKey: true });
    const withoutProof = () => browser.call(`${mount}/dashboard`, { prove: false });
    await browser.status();
    expect(await withoutProof()).toMatchObject({ status: 200 });
    await expectNothing(copy(browser, { address: '198.51.100.7' }), 'key_proof');
    pass(5 * minuteMs + 1000);
    expect(await withoutProof()).toMatchObject({
      status: 403,
      body: { requirements: ['key_proof'] },
    });
  });

  it('suspend the device when another browser uses them, and get no further details', async () => {
    const { browser, deviceId } = await cleared({}, { hasKey: true });
    await browser.status();
    pass(6 * minuteMs);
    const thief = copy(browser, { userAgent: firefoxOnWindows });
    expect(await thief.console()).toMatchObject(suspended);
    expect(await stored(deviceId)).toMatchObject({
      state: 'suspended',
      reasons: expect.arrayContaining(['browser_changed', 'os_changed']) as string[],
    });
    await expectNothing(thief);
    expect(await suspensions(deviceId)).toBe(1);
  });

  it('suspend the device when the status is requested without the key', async () => {
    const { browser, deviceId } = await cleared({}, { hasKey: true });
    expect(await copy(browser).status()).toMatchObject({
      status: 200,
      body: { state: 'suspended', reasons: [{ code: 'key_missing' }] },
    });
    expect(await stateOf(deviceId)).toBe('suspended');
    expect(await browser.console()).toMatchObject({ status: 403 });
  });
});

describe('both copied cookies of a device without a key', () => {
  it('case 52 › suspend the device at the next rotation when two clients use them', async () => {
    const { browser, deviceId } = await cleared();
    const thief = copy(browser);
    pass(6 * minuteMs);
    expect(await thief.console()).toMatchObject({ status: 200 });
    expect(deviceCookie(thief)).not.toBe(deviceCookie(browser));
    await thief.console();
    pass(minuteMs);
    expect(await browser.console()).toMatchObject(suspended);
    expect(await thief.console()).toMatchObject(suspended);
    expect(await stored(deviceId)).toMatchObject({
      state: 'suspended',
      reasons: ['secret_reused'],
    });
    expect(await suspensions(deviceId)).toBe(1);
  });

  it('do not get a suspended device a new secret, at any age of its secret', async () => {
    const { browser, deviceId } = await cleared();
    await lab.suspendBySystem(deviceId, 'admin');
    pass(20 * minuteMs);
    const { secret_hash: before } = await stored(deviceId);
    await expectNothing(browser);
    expect((await browser.status()).headers).not.toHaveProperty('set-cookie');
    expect((await stored(deviceId)).secret_hash).toBe(before);
  });

  it('suspend the device when used in a country where the owner never was', async () => {
    const { browser, deviceId } = await cleared({}, { address: places.us });
    expect(await copy(browser, { address: places.jp }).console()).toMatchObject(suspended);
    expect((await stored(deviceId)).countries).toEqual(['US']);
    expect(await browser.console()).toMatchObject({ status: 403 });
  });
});

describe('a browser that is slow or loses responses', () => {
  it('is not suspended by fifty calls around a rotation; all get the same new cookie', async () => {
    const { browser, deviceId } = await cleared();
    pass(6 * minuteMs);
    const copies = Array.from({ length: 50 }, () => copy(browser));
    const responses = await parallel(50, (at) => (copies[at] ?? browser).status());
    expect(tally(responses)).toEqual({ 200: 50 });
    expect(new Set(copies.map(deviceCookie)).size).toBe(1);
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await lab.entries(deviceId)).toHaveLength(2);
  });

  it('gets the same new cookie again when a response is lost', async () => {
    const { browser, deviceId } = await cleared();
    pass(6 * minuteMs);
    const lost = copy(browser);
    await lost.status();
    pass(10 * minuteMs);
    await browser.status();
    expect(deviceCookie(browser)).toBe(deviceCookie(lost));
    expect(await browser.console()).toMatchObject({ status: 200 });
    expect(await stateOf(deviceId)).toBe('cleared');
  });
});

describe('a browser that has lost its device cookie but not its key', () => {
  it('is not suspended when it proves the key eight times in parallel', async () => {
    const { browser, deviceId } = await cleared({}, { hasKey: true });
    browser.jar.delete('svc_device');
    const { keys, nonce } = browser.self;
    const copies = Array.from({ length: 8 }, () => copy(browser));
    for (const { self } of copies) Object.assign(self, { keys, nonce });
    const responses = await parallel(8, (at) => (copies[at] ?? browser).status());
    expect(tally(responses)).toEqual({ 200: 8 });
    const [last = ''] = copies.map(deviceCookie).filter((value) => value !== '');
    browser.jar.set('svc_device', last);
    expect((await browser.status()).body).toMatchObject({ state: 'cleared', device_id: deviceId });
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('gets no cookie without a proof of the key, nor by a proof in another session', async () => {
    const { browser } = await cleared({}, { hasKey: true });
    browser.jar.delete('svc_device');
    const body = { fingerprint: 'print' };
    const unproved = await browser.post(`${mount}/status`, body, { prove: false });
    expect(unproved.headers).not.toHaveProperty('set-cookie');
    const stranger = await signedIn();
    stranger.self.keys = browser.self.keys;
    expect((await stranger.status()).headers).not.toHaveProperty('set-cookie');
  });
});

describe('device cookies that do not belong to the session', () => {
  it('with a forged secret for a real device are unknown and harm nobody', async () => {
    const { browser, deviceId } = await cleared();
    const secret = deviceCookie(browser).slice(37);
    const other = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
    await lab.expectUnchanged(async () => {
      for (const forged of ['A'.repeat(64), other, '']) {
        const thief = copy(browser);
        thief.jar.set('svc_device', `${deviceId}.${forged}`);
        await expectNothing(thief);
        expect(await thief.status()).toMatchObject({
          status: 200,
          body: { state: 'unknown', device_id: null },
        });
      }
    });
    expect(await browser.console()).toMatchObject({ status: 200 });
  });

  it('with the secret of one device do not open another one of the same user', async () => {
    const { browser } = await cleared();
    const { deviceId: other } = await cleared({ email: browser.self.email });
    const thief = copy(browser);
    thief.jar.set('svc_device', `${other}.${deviceCookie(browser).slice(37)}`);
    await expectNothing(thief);
    expect(await stateOf(other)).toBe('cleared');
  });

  it('case 52 › of another user are flagged and give no access', async () => {
    const { browser: owner, deviceId } = await cleared();
    const { browser: thief } = await cleared();
    thief.jar.set('svc_device', deviceCookie(owner));
    expect(await thief.console()).toMatchObject({ status: 403, body: { device_state: 'unknown' } });
    expect((await thief.status()).body).toMatchObject({ state: 'unknown', device_id: null });
    const entries = await lab.entries(deviceId);
    expect(entries.find(({ action }) => action === 'device.flagged')).toMatchObject({
      reason: 'foreign_cookie',
      outcome: 'denied',
      byId: thief.self.userId,
    });
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await owner.console()).toMatchObject({ status: 200 });
  });

  it('count as none when a request has two', async () => {
    const { browser, deviceId } = await cleared();
    const cookie = [
      `svc_session=${browser.jar.get('svc_session') ?? ''}`,
      `svc_device=${deviceCookie(browser)}`,
      `svc_device=${deviceId}.${'A'.repeat(64)}`,
    ].join('; ');
    expect(await browser.call(`${mount}/dashboard`, { headers: { cookie } })).toMatchObject({
      status: 403,
      body: { device_state: 'unknown' },
    });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('give no access with a secret that a restore has replaced', async () => {
    const { browser, deviceId } = await cleared();
    const thief = copy(browser);
    await lab.suspendBySystem(deviceId, 'owner');
    await browser.signIn(withFactor);
    expect(await browser.restore(deviceId)).toMatchObject({
      status: 200,
      body: { state: 'cleared' },
    });
    expect(deviceCookie(browser)).not.toBe(deviceCookie(thief));
    expect(await browser.console()).toMatchObject({ status: 200 });
    expect(await thief.console()).toMatchObject({ status: 403 });
    expect((await thief.status()).headers).not.toHaveProperty('set-cookie');
  });
});
