import { beforeEach, describe, expect } from 'vitest';
import { me, parallel, tally } from '../../../../support/abuse.ts';
import { adminKey } from '../../../../support/app.ts';
import {
  type BearerClient,
  createBearerClient,
  newKeys,
} from '../../../../support/bearer-devices.ts';
import { mount } from '../../../../support/devices.ts';
import { it } from '../../../../support/test.ts';
import { useDevices } from '../support.ts';

const lab = await useDevices();
const { cleared, expectUnchanged, newEmail, stateOf } = lab;
const dashboard = `${mount}/dashboard`;
const invalidProof = 'blackops.invalid_dpop_proof';

let keys: Awaited<ReturnType<typeof newKeys>>;
beforeEach(async () => {
  keys = await newKeys();
});

const newClient = (): Promise<BearerClient> =>
  createBearerClient(lab.app, { email: newEmail(), roles: ['admin'] }, lab);

/** A client on an approved device, with tokens bound to `keys`. */
async function bound(): Promise<{ holder: BearerClient; deviceId: string }> {
  const holder = await newClient();
  const asked = await holder.ask({ keys });
  expect(asked).toMatchObject({ status: 200, body: { state: 'pending', binding: 'key' } });
  expect(await lab.clear(asked)).toMatchObject({ status: 200 });
  return { holder, deviceId: String(asked.body.device_id) };
}

describe('a client without cookies', () => {
  it('without a key can not request approval and gets no device', async () => {
    const holder = await newClient();
    const refused = await lab.expectRefused(holder.ask, 400, 'blackops.binding_required');
    expect(refused.headers).not.toHaveProperty('set-cookie');
    expect(await holder.me()).toMatchObject({ status: 200 });
    expect(await holder.call(dashboard)).toBeProblem(403, 'blackops.device_not_cleared');
  });

  it('is refused when it sends an unbound token with the DPoP scheme', async () => {
    const holder = await newClient();
    expect(await holder.me({ scheme: 'DPoP', keys })).toMatchObject({ status: 401 });
    expect(await holder.me({ scheme: 'DPoP' })).toMatchObject({ status: 401 });
    expect(await holder.me()).toMatchObject({ status: 200 });
  });

  it.each([
    ['for another token', { provedToken: 'svca_other' }],
    ['for no token', { provedToken: null }],
    ['for another method', { claims: { htm: 'GET' } }],
    ['without a valid nonce', { claims: { nonce: 'A' } }],
  ])('gets no device by a proof %s', async (_what, wrong) => {
    const holder = await newClient();
    const refused = await expectUnchanged(() => holder.ask({ keys, ...wrong }));
    expect(refused).toMatchObject({ status: 401 });
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
      body: { code: invalidProof, fault: 'missing' },
    });
    expect(await stateOf(deviceId)).toBe('cleared');
    expect(await holder.me({ scheme: 'DPoP', keys })).toMatchObject({ status: 200 });
    expect(await holder.call(dashboard, { scheme: 'DPoP', keys })).toMatchObject({ status: 200 });
  });

  it('with a proof by another key is refused and suspends its device', async () => {
    const { holder, deviceId } = await bound();
    const refused = await holder.me({ scheme: 'DPoP', keys: await newKeys() });
    expect(refused).toBeProblem(401, invalidProof);
    expect(await stateOf(deviceId)).toBe('suspended');
    expect(await holder.call(dashboard, { scheme: 'DPoP', keys })).toMatchObject({
      status: 403,
      body: { device_state: 'suspended' },
    });
  });

  it('with a proof for another token of the same key is refused', async () => {
    const { holder, deviceId } = await bound();
    const other = (await newClient()).self.tokens.accessToken;
    for (const provedToken of [other, null])
      expect(await holder.me({ scheme: 'DPoP', keys, provedToken })).toMatchObject({
        status: 401,
        body: { fault: 'ath' },
      });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('needs a new proof for each request', async () => {
    const { holder } = await bound();
    const options = { scheme: 'DPoP', keys, claims: { jti: 'the-same-one' } } as const;
    expect(await holder.me(options)).toMatchObject({ status: 200 });
    expect(await holder.me(options)).toMatchObject({ status: 401, body: { fault: 'replayed' } });
    const otherMethod = { ...options, claims: { htm: 'POST' } };
    expect(await holder.call(dashboard, otherMethod)).toMatchObject({ status: 401 });
  });

  it('is not accepted by guards that only identify the client', async () => {
    const { holder } = await bound();
    const body = { fingerprint: 'print' };
    expect(await holder.call(`${mount}/status`, { method: 'POST', body })).toMatchObject({
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
      body: { code: invalidProof, fault: 'missing' },
    });
    expect(await holder.refresh({ keys: await newKeys() })).toMatchObject({
      status: 401,
      body: { fault: 'other_key' },
    });
    const right = await holder.refresh({ keys });
    const accessToken = String(right.body.access_token);
    expect(right).toMatchObject({ status: 200 });
    expect(accessToken).toMatch(/^svca_/);
    expect(await holder.me({ scheme: 'DPoP', keys, accessToken })).toMatchObject({ status: 200 });
    expect(await holder.me({ accessToken })).toMatchObject({ status: 401 });
  });

  it('survives fifty parallel tries by a thief: it still works for the owner', async () => {
    const { holder } = await bound();
    const other = await newKeys();
    await holder.refresh({ keys: other });
    const responses = await expectUnchanged(() =>
      parallel(50, () => holder.refresh({ keys: other })),
    );
    expect(tally(responses)).toEqual({ 401: 50 });
    expect(await holder.refresh({ keys })).toMatchObject({ status: 200 });
  });

  it('when forged reveals nothing about keys', async () => {
    const holder = await newClient();
    const refused = await holder.refresh({ body: { refresh_token: 'svcr_made-up' } });
    expect(refused).toBeProblem(400, 'auth.invalid_grant');
    expect(refused.headers).not.toHaveProperty('dpop-nonce');
  });
});

describe('mixed credentials', () => {
  it('the cookie of a cleared device does not clear the token of another user', async () => {
    const { browser, deviceId } = await cleared();
    const { accessToken } = (await newClient()).self.tokens;
    const headers = { authorization: `Bearer ${accessToken}` };
    expect(await browser.send(dashboard, { headers })).toMatchObject({
      status: 403,
      body: { device_state: 'unknown' },
    });
    expect(await stateOf(deviceId)).toBe('cleared');
  });

  it('an API key with the DPoP scheme is refused, with or without a proof', async () => {
    const holder = await newClient();
    const options = { scheme: 'DPoP', accessToken: adminKey } as const;
    expect(await holder.call(dashboard, { ...options, keys })).toMatchObject({ status: 401 });
    expect(await holder.call(dashboard, options)).toMatchObject({ status: 401 });
  });

  it('a bound token in a cookie, and a cookie value as a token, are refused', async () => {
    const { holder } = await bound();
    const { browser } = await cleared();
    const cookie = `svc_session=${holder.self.tokens.accessToken}`;
    expect(await me(lab.app, { cookie })).toMatchObject({ status: 401 });
    const authorization = `Bearer ${browser.jar.get('svc_session') ?? ''}`;
    expect(await me(lab.app, { authorization })).toMatchObject({ status: 401 });
  });
});
