import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import { minuteMs } from '../../../../../src/lib/durations.ts';
import { parallel, tally } from '../../../../support/abuse.ts';
import { newKeys } from '../../../../support/bearer-devices.ts';
import {
  type CallOptions,
  type Cleared,
  mount,
  type ProofParts,
  signProof,
} from '../../../../support/devices.ts';
import { it } from '../../../../support/test.ts';
import { useDevices } from '../support.ts';

const lab = await useDevices();
const { cleared, copy, expectUnchanged } = lab;
const dashboard = `${mount}/dashboard`;
const elsewhere = '198.51.100.9';

let owner: Cleared;
beforeEach(async () => {
  owner = await cleared({}, { hasKey: true });
  await owner.browser.status();
});

function ownKeys() {
  const { keys } = owner.browser.self;
  if (keys === undefined) throw new Error('no key');
  return keys;
}
/** A valid proof of the owner's key for the console, except for the given parts. */
const proofWith = (parts: Partial<ProofParts> = {}) =>
  signProof({
    keys: ownKeys(),
    url: dashboard,
    method: 'GET',
    nonce: owner.browser.self.nonce,
    at: lab.now(),
    ...parts,
  });
const send = (url: string, dpop: string, options: CallOptions = {}) =>
  owner.browser.send(url, { ...options, prove: false, headers: { dpop } });
/** Calls the console with the owner's cookies and a proof with the given parts. */
const consoleWith = async (parts: Partial<ProofParts> = {}) =>
  send(dashboard, await proofWith(parts));
/** Moves the owner to an address where only a proof opens the console. */
const goAway = () => Object.assign(owner.browser.self, { address: elsewhere });
const stateOfOwner = () => lab.stateOf(owner.deviceId);

describe('case 53 › a DPoP proof for the console', () => {
  it('opens it once when it is valid', async () => {
    goAway();
    const proof = await proofWith();
    expect(await send(dashboard, proof)).toMatchObject({ status: 200 });
    const again = await expectUnchanged(() => send(dashboard, proof));
    expect(again).toBeProblem(401, 'blackops.invalid_dpop_proof');
    expect(again.body.fault).toBe('replayed');
    expect(again.headers['www-authenticate']).toMatch(/^DPoP error="invalid_dpop_proof"/);
    expect(again.body).not.toHaveProperty('states');
  });

  it('opens it once when sent twenty times in parallel', async () => {
    const dpop = await proofWith();
    const responses = await parallel(20, () =>
      copy(owner.browser, { address: elsewhere }).send(dashboard, {
        prove: false,
        headers: { dpop },
      }),
    );
    expect(tally(responses)[200]).toBe(1);
  });

  const foreignUrl = 'https://evil.example/api/auth/blackops/dashboard';
  it.each<[string, string, () => Partial<ProofParts>]>([
    ['of another method', 'htm', () => ({ method: 'POST' })],
    ['of another path', 'htu', () => ({ url: `${mount}/status` })],
    ['of the other mount', 'htu', () => ({ url: '/auth/blackops/dashboard' })],
    ['of another host', 'htu', () => ({ claims: { htu: foreignUrl } })],
    ['of ten minutes ago', 'iat', () => ({ at: lab.now() - 10 * minuteMs })],
    ['of the future', 'iat', () => ({ at: lab.now() + 2 * minuteMs })],
    ['for an access token that nobody sent', 'ath', () => ({ accessToken: 'svca_of-somebody' })],
    ['without a jti', 'malformed', () => ({ claims: { jti: undefined } })],
  ])('is refused and changes nothing: %s', async (_what, fault, parts) => {
    goAway();
    const refused = await expectUnchanged(() => consoleWith(parts()));
    expect(refused).toBeProblem(401, 'blackops.invalid_dpop_proof');
    expect(refused.body.fault).toBe(fault);
  });

  it.each([
    ['made up', 'AAAA'],
    ['missing', undefined],
    ['of another service', 'x'.repeat(43)],
  ])(
    'with a nonce that is %s gets a new nonce, and never suspends the device',
    async (_what, nonce) => {
      for (let at = 0; at < 8; at += 1) {
        const refused = await consoleWith({ nonce });
        expect(refused).toBeProblem(401, 'blackops.use_dpop_nonce');
        expect(refused.headers['dpop-nonce']).toMatch(/^[\w-]{43}$/);
      }
      expect(await stateOfOwner()).toBe('cleared');
    },
  );

  it('matches with a query string in its htu', async () => {
    goAway();
    const claims = { htu: `http://localhost:80${dashboard}?days=30` };
    expect(await consoleWith({ claims })).toMatchObject({ status: 200 });
  });

  it('for GET does not approve', async () => {
    const url = `${mount}/requests/${randomUUID()}/approve`;
    const proof = await proofWith({ url });
    const refused = await expectUnchanged(() =>
      send(url, proof, { method: 'POST', body: { number: '00' } }),
    );
    expect(refused).toMatchObject({ status: 401, body: { fault: 'htm' } });
  });

  it('is accepted only in the header, and only once', async () => {
    goAway();
    expect(
      await owner.browser.send(`${dashboard}?proof=${await proofWith()}`, { prove: false }),
    ).toMatchObject({ status: 403, body: { requirements: ['key_proof'] } });
    const both = `${await proofWith()}, ${await proofWith()}`;
    expect(await send(dashboard, both)).toMatchObject({
      status: 401,
      body: { fault: 'malformed' },
    });
  });

  it('that was used in a body is not valid in a header', async () => {
    goAway();
    const url = `${mount}/status`;
    const dpop = await proofWith({ url, method: 'POST' });
    const body = { fingerprint: 'print' };
    expect(await owner.browser.post(url, { ...body, proof: dpop }, { prove: false })).toMatchObject(
      { status: 200, body: { state: 'cleared' } },
    );
    expect(await send(url, dpop, { method: 'POST', body })).toMatchObject({
      status: 401,
      body: { fault: 'replayed' },
    });
  });
});

describe('a forged or refused proof', () => {
  const expectFault = async (parts: Partial<ProofParts>, fault: string) =>
    expect(await consoleWith(parts)).toMatchObject({ status: 401, body: { fault } });
  /** The owner's public key, without its private key. */
  const mixedKeys = async () => ({
    publicKey: ownKeys().publicKey,
    privateKey: (await newKeys()).privateKey,
  });

  it('by another key suspends the device once, and gives no access', async () => {
    await expectFault({ keys: await newKeys() }, 'other_key');
    expect(await lab.stored(owner.deviceId)).toMatchObject({
      state: 'suspended',
      reasons: ['proof_failed'],
    });
    expect(await consoleWith({ keys: await newKeys() })).toMatchObject({ status: 401 });
    expect(await consoleWith()).toMatchObject({ status: 403, body: { device_state: 'suspended' } });
    expect(await lab.actions(owner.deviceId)).toEqual([
      'device.requested',
      'device.cleared',
      'device.suspended',
    ]);
  });

  it("with the owner's public key and another signature suspends the device", async () => {
    await expectFault({ keys: await mixedKeys() }, 'signature');
    expect(await stateOfOwner()).toBe('suspended');
  });

  it("with the owner's public key harms nobody without the owner's cookie", async () => {
    const stranger = await lab.signedIn();
    const keys = await mixedKeys();
    await expectUnchanged(async () => {
      for (let at = 0; at < 6; at += 1) {
        const headers = { dpop: await proofWith({ keys }) };
        expect(await stranger.send(dashboard, { prove: false, headers })).toMatchObject({
          status: 401,
        });
      }
    });
    expect(await owner.browser.console()).toMatchObject({ status: 200 });
  });

  it('does not rename the device', async () => {
    const url = `${mount}/devices/${owner.deviceId}`;
    const proof = await proofWith({ url });
    const refused = await expectUnchanged(() =>
      send(url, proof, { method: 'PATCH', body: { device_name: 'renamed by a forged proof' } }),
    );
    expect(refused).toMatchObject({ status: 401 });
  });

  it("does not suspend the device in the owner's name", async () => {
    const { browser, deviceId } = await cleared({ roles: [] });
    const url = `${mount}/devices/${deviceId}/suspend`;
    const headers = { dpop: 'no proof at all' };
    const refused = await expectUnchanged(() => browser.send(url, { method: 'POST', headers }));
    expect(refused).toMatchObject({ status: 401 });
  });

  it('suspends the device at the fifth excusable fault, not at the fourth', async () => {
    const late = { at: lab.now() - 10 * minuteMs };
    for (let at = 0; at < 4; at += 1) await consoleWith(late);
    expect(await stateOfOwner()).toBe('cleared');
    expect(await consoleWith(late)).toMatchObject({ status: 401 });
    expect(await stateOfOwner()).toBe('suspended');
  });
});
