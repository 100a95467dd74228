import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { parallel, tally } from '../../../support/abuse.ts';
import { type TestApp } from '../../../support/app.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { newKeys } from '../../../support/bearer-devices.ts';
import {
  type Cleared,
  clearedOn,
  copyOf,
  createDeviceBrowser,
  deviceInventory,
  entriesOf,
  mount,
  type ProofParts,
  signProof,
  storedDevice,
} from '../../../support/devices.ts';

const minute = 60_000;
// Not `Date.now` itself: the tests build proofs by hand, for any time.
const now = () => Date.now();
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices', { clock: { now } });
});

const dashboard = `${mount}/dashboard`;
let people = 0;
let owner: Cleared;
beforeEach(async () => {
  owner = await clearedOn(app, { email: `proofs-${people++}@example.com` }, { hasKey: true, now });
  await owner.browser.status();
});

const keysOf = () => {
  const { keys } = owner.browser.self;
  if (keys === undefined) throw new Error('no key');
  return keys;
};
/** A valid proof of the owner's key for the console, except for the given parts. */
const proofWith = (parts: Partial<ProofParts> = {}) =>
  signProof({
    keys: keysOf(),
    url: dashboard,
    method: 'GET',
    nonce: owner.browser.self.nonce,
    at: now(),
    ...parts,
  });
/** Calls the console with the owner's cookies. */
const consoleWith = async (dpop: string | Promise<string>) =>
  owner.browser.send(dashboard, { prove: false, headers: { dpop: await dpop } });
const stateOf = async () => (await storedDevice(app, owner.deviceId)).state;
const forget = async () => app.stores.redis.del(`devices:faults:${owner.deviceId}`);

/** Another address, where only a proof opens the console. */
const away = () => Object.assign(owner.browser.self, { address: '198.51.100.9' });

describe('case 53 › a DPoP proof for the console', () => {
  it('opens it once when it is valid', async () => {
    away();
    const proof = await proofWith();
    expect(await consoleWith(proof)).toMatchObject({ status: 200 });
    const before = await deviceInventory(app);
    const again = await consoleWith(proof);
    expect(again).toMatchObject({
      status: 401,
      body: { code: 'blackops.invalid_dpop_proof', fault: 'replayed' },
    });
    expect(again.headers['www-authenticate']).toMatch(/^DPoP error="invalid_dpop_proof"/);
    expect(again.body).not.toHaveProperty('states');
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('opens it once when sent twenty times in parallel', async () => {
    const proof = await proofWith();
    const copies = Array.from({ length: 20 }, () =>
      copyOf(app, owner.browser, { address: '198.51.100.9', now }),
    );
    const answers = await parallel(20, (at) =>
      (copies[at] ?? owner.browser).send(dashboard, { prove: false, headers: { dpop: proof } }),
    );
    expect(tally(answers)[200]).toBe(1);
  });

  it.each<[string, string, () => Partial<ProofParts>]>([
    ['of another method', 'htm', () => ({ method: 'POST' })],
    ['of another path', 'htu', () => ({ url: `${mount}/status` })],
    ['of the other mount', 'htu', () => ({ url: '/auth/blackops/dashboard' })],
    [
      'of another host',
      'htu',
      () => ({ claims: { htu: 'https://evil.example/api/auth/blackops/dashboard' } }),
    ],
    ['of ten minutes ago', 'iat', () => ({ at: now() - 10 * minute })],
    ['of the future', 'iat', () => ({ at: now() + 2 * minute })],
    ['for an access token that nobody sent', 'ath', () => ({ accessToken: 'svca_of-somebody' })],
    ['without a jti', 'malformed', () => ({ claims: { jti: undefined } })],
  ])('is refused and changes nothing: %s', async (_what, fault, parts) => {
    away();
    const before = await deviceInventory(app);
    expect(await consoleWith(proofWith(parts()))).toMatchObject({
      status: 401,
      body: { code: 'blackops.invalid_dpop_proof', fault },
    });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it.each([
    ['made up', 'AAAA'],
    ['missing', undefined],
    ['of another service', 'x'.repeat(43)],
  ])(
    'with a nonce that is %s gets a new nonce, and never suspends the device',
    async (_what, nonce) => {
      for (let at = 0; at < 8; at += 1) {
        const answer = await consoleWith(proofWith({ nonce }));
        expect(answer).toMatchObject({ status: 401, body: { code: 'blackops.use_dpop_nonce' } });
        expect(answer.headers['dpop-nonce']).toMatch(/^[\w-]{43}$/);
      }
      expect(await stateOf()).toBe('cleared');
    },
  );

  it('matches with a query string in its htu', async () => {
    away();
    expect(
      await consoleWith(proofWith({ claims: { htu: `http://localhost:80${dashboard}?days=30` } })),
    ).toMatchObject({ status: 200 });
  });

  it('for GET does not approve', async () => {
    const url = `${mount}/requests/${randomUUID()}/approve`;
    const before = await deviceInventory(app);
    const dpop = await signProof({
      keys: keysOf(),
      url,
      method: 'GET',
      nonce: owner.browser.self.nonce,
      at: now(),
    });
    expect(
      await owner.browser.send(url, {
        method: 'POST',
        body: { number: '00' },
        prove: false,
        headers: { dpop },
      }),
    ).toMatchObject({ status: 401, body: { fault: 'htm' } });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('is accepted only in the header, and only once', async () => {
    away();
    expect(
      await owner.browser.send(`${dashboard}?proof=${await proofWith()}`, { prove: false }),
    ).toMatchObject({ status: 403, body: { requirements: ['key_proof'] } });
    const both = `${await proofWith()}, ${await proofWith()}`;
    expect(await consoleWith(both)).toMatchObject({ status: 401, body: { fault: 'malformed' } });
  });

  it('that was used in a body is not valid in a header', async () => {
    away();
    const url = `${mount}/status`;
    const dpop = await signProof({
      keys: keysOf(),
      url,
      method: 'POST',
      nonce: owner.browser.self.nonce,
      at: now(),
    });
    expect(
      await owner.browser.send(url, {
        method: 'POST',
        body: { fingerprint: 'print', proof: dpop },
        prove: false,
      }),
    ).toMatchObject({ status: 200, body: { state: 'cleared' } });
    expect(
      await owner.browser.send(url, {
        method: 'POST',
        body: { fingerprint: 'print' },
        prove: false,
        headers: { dpop },
      }),
    ).toMatchObject({ status: 401, body: { fault: 'replayed' } });
  });
});

describe('a forged or refused proof', () => {
  it('by another key suspends the device once, and gives no access', async () => {
    const other = await newKeys();
    expect(await consoleWith(proofWith({ keys: other }))).toMatchObject({
      status: 401,
      body: { fault: 'other_key' },
    });
    expect(await storedDevice(app, owner.deviceId)).toMatchObject({
      state: 'suspended',
      reasons: ['proof_failed'],
    });
    expect((await consoleWith(proofWith({ keys: await newKeys() }))).status).toBe(401);
    expect(await consoleWith(proofWith())).toMatchObject({
      status: 403,
      body: { device_state: 'suspended' },
    });
    expect(
      (await entriesOf(app, owner.deviceId)).filter(({ action }) => action === 'device.suspended'),
    ).toHaveLength(1);
  });

  it("with the owner's public key and another signature suspends the device", async () => {
    const other = await newKeys();
    const mixed = { publicKey: keysOf().publicKey, privateKey: other.privateKey };
    expect(await consoleWith(proofWith({ keys: mixed }))).toMatchObject({
      status: 401,
      body: { fault: 'signature' },
    });
    expect(await stateOf()).toBe('suspended');
  });

  it("with the owner's public key harms nobody without the owner's cookie", async () => {
    const stranger = createDeviceBrowser(app, { now });
    await stranger.signIn({ email: `stranger-${people++}@example.com`, roles: ['admin'] });
    const mixed = { publicKey: keysOf().publicKey, privateKey: (await newKeys()).privateKey };
    const before = await deviceInventory(app);
    for (let at = 0; at < 6; at += 1)
      expect(
        await stranger.send(dashboard, {
          prove: false,
          headers: { dpop: await proofWith({ keys: mixed }) },
        }),
      ).toMatchObject({ status: 401 });
    expect(await deviceInventory(app)).toEqual(before);
    expect(await owner.browser.console()).toMatchObject({ status: 200 });
  });

  it('does not rename the device', async () => {
    const url = `${mount}/devices/${owner.deviceId}`;
    const dpop = await signProof({
      keys: keysOf(),
      url,
      method: 'GET',
      nonce: owner.browser.self.nonce,
      at: now(),
    });
    const before = await deviceInventory(app);
    expect(
      await owner.browser.send(url, {
        method: 'PATCH',
        body: { device_name: 'renamed by a forged proof' },
        prove: false,
        headers: { dpop },
      }),
    ).toMatchObject({ status: 401 });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it("does not suspend the device in the owner's name", async () => {
    const plain = await clearedOn(
      app,
      { email: `plain-${people++}@example.com`, roles: [] },
      { now },
    );
    const url = `${mount}/devices/${plain.deviceId}/suspend`;
    const before = await deviceInventory(app);
    expect(
      await plain.browser.send(url, { method: 'POST', headers: { dpop: 'no proof at all' } }),
    ).toMatchObject({ status: 401 });
    expect(await deviceInventory(app)).toEqual(before);
  });

  it('suspends the device at the fifth excusable fault, not at the fourth', async () => {
    for (let at = 0; at < 4; at += 1) await consoleWith(proofWith({ at: now() - 10 * minute }));
    expect(await stateOf()).toBe('cleared');
    expect(await consoleWith(proofWith({ at: now() - 10 * minute }))).toMatchObject({
      status: 401,
    });
    expect(await stateOf()).toBe('suspended');
    await forget();
  });
});
