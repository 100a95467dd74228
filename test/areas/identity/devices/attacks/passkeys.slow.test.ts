import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../../../src/lib/durations.ts';
import { freshApp } from '../../../../support/app.ts';
import {
  type Authenticator,
  createAuthenticator,
  type Twist,
} from '../../../../support/authenticator.ts';
import type { TestResponse } from '../../../../support/client.ts';
import { type Cleared, type DeviceBrowser, mount } from '../../../../support/devices.ts';
import { createDeviceLab, createTestClock } from '../support.ts';

const clock = createTestClock();
const env = { DEVICE_FIRST: 'nobody', DEVICE_BINDING: 'webauthn' };
const app = await freshApp({ env, clock });
const { cleared, copy, expectUnchanged, signedIn, stored } = createDeviceLab(app, clock);

const origin = 'http://localhost:3000';
let owner: Cleared;
let email: string;
let passkey: Authenticator;

async function addPasskey(browser: DeviceBrowser, added: Authenticator) {
  const { body } = await browser.post('/api/auth/2fa/passkeys/options');
  const credential = added.create(body);
  expect(await browser.post('/api/auth/2fa/passkeys', { credential })).toMatchObject({
    status: 201,
  });
}

const optionsOf = async (browser: DeviceBrowser) =>
  (await browser.post(`${mount}/passkey/options`)).body;
const send = (browser: DeviceBrowser, credential: unknown, prove = true) =>
  browser.post(`${mount}/passkey`, credential, { prove });
const use = async (
  browser: DeviceBrowser,
  used: Authenticator,
  { prove = true, twist = {} }: { prove?: boolean; twist?: Twist } = {},
) => send(browser, used.get(await optionsOf(browser), twist), prove);

beforeEach(async () => {
  owner = await cleared({ acr: 'aal2', amr: ['otp', 'hwk'] }, { hasKey: true });
  email = owner.browser.self.email;
  passkey = createAuthenticator({ origin });
  await addPasskey(owner.browser, passkey);
});

const passkeyProof = { status: 403, body: { requirements: ['passkey_proof'] } };

/** Expects that a passkey is refused, and that the binding of the device does not change. */
async function expectRefused(call: () => Promise<TestResponse>) {
  expect(await expectUnchanged(call)).toMatchObject({ status: 400 });
  expect(await owner.browser.console()).toMatchObject({ status: 403 });
}

describe('a device is not bound to a passkey', () => {
  it('without a proof of its key in the same request', async () => {
    await owner.browser.status();
    await expectRefused(() => use(owner.browser, passkey, { prove: false }));
  });

  it('that is synced', async () => {
    const synced = createAuthenticator({ origin, isBackedUp: true });
    await addPasskey(owner.browser, synced);
    await expectRefused(() => use(owner.browser, synced));
  });

  it('of another user', async () => {
    await expectRefused(() => use(owner.browser, createAuthenticator({ origin })));
  });

  it.each<Twist>([
    { origin: 'https://evil.example' },
    { isForged: true },
    { challenge: 'AAAA' },
    { type: 'webauthn.create' },
    { rpId: 'evil.example' },
    { crossOrigin: true },
    { isPresent: false },
    { isVerified: false },
  ])('with %j', async (twist) => {
    await expectRefused(() => use(owner.browser, passkey, { twist }));
  });

  it('by a response that was used before, or that another session requested', async () => {
    const response = passkey.get(await optionsOf(owner.browser));
    expect(await send(owner.browser, response)).toMatchObject({
      status: 200,
      body: { binding: 'webauthn' },
    });
    expect(await send(owner.browser, response)).toMatchObject({ status: 400 });
    const other = await signedIn({ email });
    const { passkey_id: before } = await stored(owner.deviceId);
    const foreign = passkey.get(await optionsOf(other));
    expect(await send(owner.browser, foreign)).toMatchObject({ status: 400 });
    expect((await stored(owner.deviceId)).passkey_id).toBe(before);
  });

  it('when it has only a cookie', async () => {
    const { browser, deviceId } = await cleared({ email, acr: 'aal2' });
    expect(await use(browser, passkey)).toMatchObject({ status: 400 });
    expect((await stored(deviceId)).passkey_id).toBeNull();
  });
});

it.each([{ hasKey: false }, { hasKey: true }])(
  'a cleared device without a passkey opens nothing: %j',
  async (options) => {
    const { browser } = await cleared({}, options);
    expect(await browser.console()).toMatchObject({
      status: 403,
      body: { device_state: 'cleared', requirements: ['stronger_binding'] },
    });
    expect(await send(browser, {}, false)).toMatchObject({ status: 422 });
  },
);

describe('a device that is bound to a passkey', () => {
  beforeEach(async () => {
    expect(await use(owner.browser, passkey)).toMatchObject({
      status: 200,
      body: { binding: 'webauthn' },
    });
  });

  it('opens the console in that session for twelve hours, and in no other session', async () => {
    expect(await owner.browser.console()).toMatchObject({ status: 200 });
    const other = copy(owner.browser);
    other.self.keys = owner.browser.self.keys;
    await other.signIn({ email, roles: ['admin'] });
    expect(await other.console()).toMatchObject(passkeyProof);
    for (let time = 0; time < 13; time += 1) {
      clock.pass(55 * minuteMs);
      await owner.browser.status();
    }
    clock.pass(6 * minuteMs);
    expect(await owner.browser.console()).toMatchObject(passkeyProof);
  });

  it('can not be opened by, or bound to, another passkey of the same user', async () => {
    const second = createAuthenticator({ origin });
    await addPasskey(owner.browser, second);
    const { passkey_id: before } = await stored(owner.deviceId);
    expect(await use(owner.browser, second)).toMatchObject({ status: 400 });
    expect((await stored(owner.deviceId)).passkey_id).toBe(before);
  });

  it('does not share the passkey with another device of the same user', async () => {
    const { browser, deviceId } = await cleared({ email }, { hasKey: true });
    expect(await browser.console()).toMatchObject({
      status: 403,
      body: { requirements: ['stronger_binding'] },
    });
    expect((await stored(deviceId)).passkey_id).toBeNull();
  });
});
