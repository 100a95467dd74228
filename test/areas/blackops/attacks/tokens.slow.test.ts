import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { parallel, tally } from '../../../support/abuse.ts';
import { adminKey, asAdmin, type TestApp } from '../../../support/app.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { type BearerClient, createBearerClient, newKeys } from '../../../support/bearer-devices.ts';
import {
  clearByKey,
  clearedOn,
  deviceInventory,
  mount,
  storedDevice,
} from '../../../support/devices.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices');
});

let people = 0;
const client = (): Promise<BearerClient> =>
  createBearerClient(app, { email: `tokens-${people++}@example.com`, roles: ['admin'] });
type Keys = Awaited<ReturnType<typeof newKeys>>;
let keys: Keys;
beforeEach(async () => {
  keys = await newKeys();
});

/** A client on a cleared device, with tokens bound to `keys`. */
async function bound(): Promise<{ holder: BearerClient; deviceId: string }> {
  const holder = await client();
  const asked = await holder.ask({ keys });
  expect(asked).toMatchObject({ status: 200, body: { state: 'pending', binding: 'key' } });
  expect(await clearByKey(app, asked, asAdmin.authorization)).toMatchObject({ status: 200 });
  return { holder, deviceId: String(asked.body.device_id) };
}
const stateOf = async (id: string) => (await storedDevice(app, id)).state;
const dashboard = `${mount}/dashboard`;

describe('a client without cookies', () => {
  it('without a key can not request clearance and gets no device', async () => {
    const holder = await client();
    const before = await deviceInventory(app);
    const refused = await holder.ask();
    expect(refused).toMatchObject({ status: 400, body: { code: 'blackops.binding_required' } });
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expect(await deviceInventory(app)).toEqual(before);
    expect(await holder.me()).toMatchObject({ status: 200 });
    expect(await holder.call(dashboard)).toMatchObject({
      status: 403,
      body: { code: 'blackops.device_not_cleared' },
    });
  });

  it('is refused when it sends an unbound token with the DPoP scheme', async () => {
    const holder = await client();
    expect(await holder.me({ scheme: 'DPoP', keys })).toMatchObject({ status: 401 });
    expect(await holder.me({ scheme: 'DPoP' })).toMatchObject({ status: 401 });
    expect(await holder.me()).toMatchObject({ status: 200 });
  });

  it('gets no device by a proof for another token or method, or without a nonce', async () => {
    const holder = await client();
    const before = await deviceInventory(app);
    for (const wrong of [
      { provedToken: 'svca_other' },
      { provedToken: null },
      { claims: { htm: 'GET' } },
      { claims: { nonce: 'A' } },
    ])
      expect(await holder.ask({ keys, ...wrong })).toMatchObject({ status: 401 });
    expect(await deviceInventory(app)).toEqual(before);
  });
});

describe('a bound access token', () => {
  it('is useless without its key, as Bearer or as DPoP', async () => {
    const { holder, deviceId } = await bound();
    expect(await holder.me()).toMatchObject({ status: 401 });
    expect(await holder.call(dashboard)).toMatchObject({ status: 401 });
    expect(await holder.me({ keys })).toMatchObject({ status: 401 });
    expect(await holder.me({ scheme: 'DPoP' })).toMatchObject({
      status: 401,
      body: { code: 'blackops.invalid_dpop_proof', fault: 'missing' },
    });
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await holder.me({ scheme: 'DPoP', keys })).toMatchObject({ status: 200 });
    expect(await holder.call(dashboard, { scheme: 'DPoP', keys })).toMatchObject({ status: 200 });
  });

  it('with a proof by another key is refused and suspends its device', async () => {
    const { holder, deviceId } = await bound();
    expect(await holder.me({ scheme: 'DPoP', keys: await newKeys() })).toMatchObject({
      status: 401,
      body: { code: 'blackops.invalid_dpop_proof' },
    });
    expect(await stateOf(deviceId)).toBe('suspended');
    expect(await holder.call(dashboard, { scheme: 'DPoP', keys })).toMatchObject({
      status: 403,
      body: { device_state: 'suspended' },
    });
  });

  it('with a proof for another token of the same key is refused', async () => {
    const { holder, deviceId } = await bound();
    const other = await client();
    expect(
      await holder.me({ scheme: 'DPoP', keys, provedToken: other.self.tokens.accessToken }),
    ).toMatchObject({ status: 401, body: { fault: 'ath' } });
    expect(await holder.me({ scheme: 'DPoP', keys, provedToken: null })).toMatchObject({
      status: 401,
      body: { fault: 'ath' },
    });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('needs a new proof for each request', async () => {
    const { holder } = await bound();
    const claims = { jti: 'the-same-one' };
    expect(await holder.me({ scheme: 'DPoP', keys, claims })).toMatchObject({ status: 200 });
    expect(await holder.me({ scheme: 'DPoP', keys, claims })).toMatchObject({
      status: 401,
      body: { fault: 'replayed' },
    });
    expect(
      await holder.call(dashboard, { scheme: 'DPoP', keys, claims: { htm: 'POST' } }),
    ).toMatchObject({ status: 401 });
  });

  it('is not accepted by guards that only identify the client', async () => {
    const { holder } = await bound();
    const stolen = await holder.call(`${mount}/status`, {
      method: 'POST',
      body: { fingerprint: 'print' },
    });
    expect(stolen).toMatchObject({
      status: 200,
      body: { state: 'unknown', device_id: null, requirements: ['sign_in', 'clearance'] },
    });
    expect(await holder.call('/api/auth/status')).toMatchObject({
      status: 200,
      body: { authenticated: false },
    });
    expect(await holder.call('/api/auth/logout', { method: 'POST' })).toMatchObject({
      status: 200,
      body: { session_revoked: false },
    });
    expect(await holder.me({ scheme: 'DPoP', keys })).toMatchObject({ status: 200 });
  });
});

describe('a bound refresh token', () => {
  it('without a proof gets no tokens and is not consumed', async () => {
    const { holder } = await bound();
    expect(await holder.refresh()).toMatchObject({
      status: 401,
      body: { code: 'blackops.invalid_dpop_proof', fault: 'missing' },
    });
    expect(await holder.refresh({ keys: await newKeys() })).toMatchObject({
      status: 401,
      body: { fault: 'other_key' },
    });
    const right = await holder.refresh({ keys });
    expect(right).toMatchObject({
      status: 200,
      body: { access_token: expect.stringMatching(/^svca_/) as string },
    });
    expect(
      await holder.me({ scheme: 'DPoP', keys, accessToken: String(right.body.access_token) }),
    ).toMatchObject({ status: 200 });
    expect(await holder.me({ accessToken: String(right.body.access_token) })).toMatchObject({
      status: 401,
    });
  });

  it('survives fifty parallel tries by a thief: it still works for the owner', async () => {
    const { holder } = await bound();
    const other = await newKeys();
    await holder.refresh({ keys: other });
    const before = await deviceInventory(app);
    expect(tally(await parallel(50, () => holder.refresh({ keys: other })))).toEqual({ 401: 50 });
    expect(await deviceInventory(app)).toEqual(before);
    expect(await holder.refresh({ keys })).toMatchObject({ status: 200 });
  });

  it('when forged reveals nothing about keys', async () => {
    const holder = await client();
    const refused = await holder.call('/api/auth/token/refresh', {
      method: 'POST',
      body: { refresh_token: 'svcr_made-up' },
      scheme: 'none',
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'auth.invalid_grant' } });
    expect(refused.headers).not.toHaveProperty('dpop-nonce');
  });
});

describe('mixed credentials', () => {
  it('the cookie of a cleared device does not clear the token of another user', async () => {
    const { browser, deviceId } = await clearedOn(app, { email: `mixed-${people++}@example.com` });
    const {
      tokens: { accessToken },
    } = (await client()).self;
    const answer = await browser.send(dashboard, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(answer).toMatchObject({ status: 403, body: { device_state: 'unknown' } });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('an API key with the DPoP scheme is refused, with or without a proof', async () => {
    const holder = await client();
    expect(
      await holder.call(dashboard, { scheme: 'DPoP', accessToken: adminKey, keys }),
    ).toMatchObject({ status: 401 });
    expect(await holder.call(dashboard, { scheme: 'DPoP', accessToken: adminKey })).toMatchObject({
      status: 401,
    });
  });

  it('a bound token in a cookie, and a cookie value as a token, are refused', async () => {
    const { holder } = await bound();
    const { browser } = await clearedOn(app, { email: `mixed-${people++}@example.com` });
    const inject = async (headers: Record<string, string>) =>
      (await app.http.inject({ url: '/api/auth/me', headers })).statusCode;
    expect(await inject({ cookie: `svc_session=${holder.self.tokens.accessToken}` })).toBe(401);
    expect(await inject({ authorization: `Bearer ${browser.jar.get('svc_session') ?? ''}` })).toBe(
      401,
    );
  });
});
