import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../../support/app.ts';
import {
  type Authenticator,
  createAuthenticator,
  type Twist,
} from '../../../support/authenticator.ts';
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

let offset = 0;
const now = () => Date.now() + offset;
let app: FreshApp;
beforeAll(async () => {
  app = await freshApp({
    env: { DEVICE_FIRST: 'nobody', DEVICE_BINDING: 'webauthn' },
    clock: { now },
  });
});
afterAll(() => app.close());

const origin = 'http://localhost:3000';
let people = 0;
let email: string;
let owner: Cleared;
let passkey: Authenticator;

/** Registers a passkey with the key pair `key` for the user. */
async function addPasskey(browser: DeviceBrowser, key: Authenticator) {
  const { body } = await browser.call('/api/auth/2fa/passkeys/options', {
    method: 'POST',
    body: {},
  });
  const added = await browser.call('/api/auth/2fa/passkeys', {
    method: 'POST',
    body: { credential: key.create(body) },
  });
  expect(added).toMatchObject({ status: 201 });
}

const optionsOf = async (browser: DeviceBrowser) =>
  (await browser.call(`${mount}/passkey/options`, { method: 'POST', body: {} })).body;
const send = (browser: DeviceBrowser, credential: unknown, prove = true) =>
  browser.call(`${mount}/passkey`, { method: 'POST', body: credential, prove });
const use = async (
  browser: DeviceBrowser,
  key: Authenticator,
  { prove = true, twist = {} }: { prove?: boolean; twist?: Twist } = {},
) => send(browser, key.get(await optionsOf(browser), twist), prove);

beforeEach(async () => {
  email = `passkeys-${people++}@example.com`;
  owner = await clearedOn(app, { email, acr: 'aal2', amr: ['otp', 'hwk'] }, { hasKey: true, now });
  passkey = createAuthenticator({ origin });
  await addPasskey(owner.browser, passkey);
});

/** Asserts that a passkey is refused, and that the binding of the device does not change. */
async function expectRefused(
  call: () => Promise<{ status: number; body: Record<string, unknown> }>,
) {
  const before = await deviceInventory(app);
  expect((await call()).status).toBe(400);
  expect(await deviceInventory(app)).toEqual(before);
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

  it('of another user, site or challenge, forged, or without user verification', async () => {
    await expectRefused(() => use(owner.browser, createAuthenticator({ origin })));
    const wrong: Twist[] = [
      { origin: 'https://evil.example' },
      { isForged: true },
      { challenge: 'AAAA' },
      { type: 'webauthn.create' },
      { rpId: 'evil.example' },
      { crossOrigin: true },
      { isPresent: false },
      { isVerified: false },
    ];
    for (const twist of wrong) await expectRefused(() => use(owner.browser, passkey, { twist }));
  });

  it('by a response that was used before, or that another session requested', async () => {
    const answer = passkey.get(await optionsOf(owner.browser));
    expect(await send(owner.browser, answer)).toMatchObject({
      status: 200,
      body: { binding: 'webauthn' },
    });
    expect((await send(owner.browser, answer)).status).toBe(400);
    const other = createDeviceBrowser(app, { now });
    await other.signIn({ email, roles: ['admin'] });
    const before = await storedDevice(app, owner.deviceId);
    expect((await send(owner.browser, passkey.get(await optionsOf(other)))).status).toBe(400);
    expect((await storedDevice(app, owner.deviceId)).passkey_id).toBe(before.passkey_id);
  });

  it('when it has only a cookie', async () => {
    const { browser, deviceId } = await clearedOn(app, { email, acr: 'aal2' }, { now });
    expect((await use(browser, passkey)).status).toBe(400);
    expect((await storedDevice(app, deviceId)).passkey_id).toBeNull();
  });
});

describe('a device that is bound to a passkey', () => {
  beforeEach(async () => {
    expect(await use(owner.browser, passkey)).toMatchObject({
      status: 200,
      body: { binding: 'webauthn' },
    });
  });

  it('opens the console in that session for twelve hours, and in no other session', async () => {
    expect(await owner.browser.console()).toMatchObject({ status: 200 });
    const copy = copyOf(app, owner.browser, { now });
    copy.self.keys = owner.browser.self.keys;
    await copy.signIn({ email, roles: ['admin'] });
    expect(await copy.console()).toMatchObject({
      status: 403,
      body: { requirements: ['passkey_proof'] },
    });
    for (let hour = 0; hour < 13; hour += 1) {
      offset += 55 * 60_000;
      await owner.browser.status();
    }
    offset += 6 * 60_000;
    expect(await owner.browser.console()).toMatchObject({
      status: 403,
      body: { requirements: ['passkey_proof'] },
    });
  });

  it('can not be opened by, or bound to, another passkey of the same user', async () => {
    const second = createAuthenticator({ origin });
    await addPasskey(owner.browser, second);
    const { passkey_id: before } = await storedDevice(app, owner.deviceId);
    expect((await use(owner.browser, second)).status).toBe(400);
    expect((await storedDevice(app, owner.deviceId)).passkey_id).toBe(before);
  });

  it('does not share the passkey with another device of the same user', async () => {
    const { browser, deviceId } = await clearedOn(app, { email }, { hasKey: true, now });
    expect(await browser.console()).toMatchObject({
      status: 403,
      body: { requirements: ['stronger_binding'] },
    });
    expect((await storedDevice(app, deviceId)).passkey_id).toBeNull();
  });
});
