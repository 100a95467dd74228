import { createHash } from 'node:crypto';
import { beforeAll, describe, expect } from 'vitest';
import { minuteMs } from '../../../../../src/lib/durations.ts';
import { sqlContent } from '../../../../support/abuse.ts';
import { createBearerClient, newKeys } from '../../../../support/bearer-devices.ts';
import type { TestResponse } from '../../../../support/client.ts';
import { type DeviceBrowser, mount, places, signProof } from '../../../../support/devices.ts';
import { it } from '../../../../support/test.ts';
import { redisContent } from '../../../comms/redis-content.ts';
import { useDevices, withFactor } from '../support.ts';

const lab = await useDevices();
const { cleared, copy, signedIn, stored } = lab;
const dashboard = `${mount}/dashboard`;
const fingerprint = 'fingerprint-that-nobody-else-has-4711';
const addresses = { v4: places.us, v6: '2001:4860:4860:1234:5678:9abc:def0:8888' };

interface Run {
  secrets: Map<string, string>;
  responses: string[];
  deviceIds: string[];
}

function noteCookies(secrets: Map<string, string>, { jar }: DeviceBrowser, name: string) {
  const [id = '', secret = ''] = (jar.get('svc_device') ?? '').split('.');
  if (id !== '') secrets.set(`${name}: device secret`, secret);
  secrets.set(`${name}: session`, jar.get('svc_session') ?? '');
}

/** Runs two devices through their life cycle with attacks. */
async function runLifeCycle(): Promise<Run> {
  const secrets = new Map([['fingerprint', fingerprint]]);
  const responses: string[] = [];
  const record = ({ text }: TestResponse) => responses.push(text);
  const { browser: admin, deviceId: own } = await cleared(
    { acr: 'aal2' },
    { hasKey: true, address: addresses.v4 },
  );
  const other = await signedIn({ roles: [], acr: 'aal2' }, { address: addresses.v6 });
  noteCookies(secrets, admin, 'admin');
  const asked = await other.ask({ fingerprint, device_name: 'A laptop', reason: 'new one' });
  record(asked);
  noteCookies(secrets, other, 'other');
  const id = String(asked.body.device_id);
  const { dpop = '' } = await admin.proofFor('GET', dashboard);
  secrets
    .set('nonce', admin.self.nonce ?? '')
    .set('proof', dpop)
    .set('signature', dpop.split('.')[2] ?? '');
  record(await admin.send(dashboard, { prove: false, headers: { dpop } }));
  record(await admin.send(dashboard, { prove: false, headers: { dpop } }));
  record(await admin.call(`${mount}/requests`));
  record(await admin.approve(asked.body.request_id, asked.body.number));
  record(await other.status({ fingerprint }));
  record(await admin.call(`${mount}/devices?user_id=${other.self.userId}`));
  lab.pass(6 * minuteMs);
  record(await other.status({ fingerprint }));
  noteCookies(secrets, other, 'other after the rotation');
  record(await copy(other, { address: places.jp }).call(`${mount}/devices`));
  record(await other.call(`${mount}/devices`));
  await other.signIn(withFactor);
  record(await other.restore(id));
  noteCookies(secrets, other, 'other after the restoration');
  for (const path of ['requests?state=decided', 'dashboard', 'analytics', 'devices'])
    record(await admin.call(`${mount}/${path}`));
  record(await other.revoke({ fingerprint }));
  return { secrets, responses, deviceIds: [own, id] };
}

describe('after a full life cycle of two devices', () => {
  let run: Run;
  beforeAll(async () => {
    run = await runLifeCycle();
  });

  function expectNone(text: string): void {
    for (const [name, secret] of run.secrets) {
      expect(secret.length, name).toBeGreaterThan(30);
      expect(text.includes(secret), name).toBe(false);
    }
  }

  it('case 22 › the log has no secret, cookie, nonce, proof or fingerprint', () => {
    expect(lab.app.log()).toContain('/api/auth/blackops');
    expectNone(lab.app.log());
  });

  it('the database has none of them, and only hashes of secrets', async () => {
    for (const text of (await sqlContent(lab.app)).values()) expectNone(text);
    const [own, other] = run.deviceIds;
    expect(await stored(own)).toMatchObject({
      fingerprint_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      secret_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    const plainHash = createHash('sha256').update(fingerprint).digest('hex');
    expect((await stored(other)).fingerprint_hash).not.toBe(plainHash);
  });

  it('Redis has none of them', async () => {
    const text = await redisContent(lab.app.stores.redis);
    expect(text).toContain('blackops:proof:');
    expectNone(text);
  });

  it('no response has a secret, a hash, a thumbprint or a cookie of another device', async () => {
    const text = run.responses.join('\n');
    run.secrets.delete('nonce');
    expectNone(text);
    const { secret_hash: hash, jkt, fingerprint_hash: print } = await stored(run.deviceIds[0]);
    for (const internal of [hash, jkt, print]) expect(text).not.toContain(internal ?? 'none');
  });

  it('responses and device tables have no full address, only networks', async () => {
    const content = await sqlContent(lab.app);
    const tables = ['devices', 'clearance_requests', 'first_cleared_device'];
    const texts = [...run.responses, ...tables.map((name) => content.get(name) ?? '')];
    for (const address of [...Object.values(addresses), '2001:4860:4860:1234', places.jp])
      for (const text of texts) expect(text).not.toContain(address);
    expect(run.responses.join('\n')).toContain('8.8.8.0/24');
    expect(content.get('devices')).toContain('2001:4860:4860::/48');
  });

  it('only responses to the owner have the number, and no audit entry has it', async () => {
    expect(run.responses.slice(1).join('\n')).not.toMatch(/"number":"/);
    for (const id of run.deviceIds)
      expect(JSON.stringify(await lab.entries(id))).not.toContain('"number"');
    expect(lab.app.log()).not.toContain('"number"');
  });
});

describe('responses and logs', () => {
  it('do not repeat the secrets of refused calls', async () => {
    const { browser } = await cleared({}, { hasKey: true });
    const { nonce } = browser.self;
    const keys = await newKeys();
    const proof = { keys, url: dashboard, method: 'GET', nonce, at: lab.now() };
    const dpop = await signProof(proof);
    const odd = 'odd-fingerprint-0123456789-0123456789';
    const forged = await browser.send(dashboard, { prove: false, headers: { dpop } });
    expect(forged).toMatchObject({ status: 401 });
    const noKey = await browser.status({ fingerprint: odd, public_key: 'no key' });
    expect(noKey).toMatchObject({ status: 422 });
    const noName = await browser.ask({ fingerprint: odd, proof: dpop, device_name: '' });
    expect(noName).toMatchObject({ status: 422 });
    const cookies = ['svc_device', 'svc_session'].map((name) => browser.jar.get(name) ?? dpop);
    for (const text of [lab.app.log(), forged.text, noKey.text, noName.text])
      for (const secret of [odd, dpop, ...cookies]) expect(text).not.toContain(secret);
  });

  it('have no tokens of clients without cookies, and neither has a store', async () => {
    const someone = { email: lab.newEmail(), roles: ['admin'] } as const;
    const holder = await createBearerClient(lab.app, someone, lab);
    const keys = await newKeys();
    await lab.clear(await holder.ask({ keys }));
    expect(await holder.refresh({ keys })).toMatchObject({ status: 200 });
    const { accessToken, refreshToken } = holder.self.tokens;
    const tables = (await sqlContent(lab.app)).values();
    for (const text of [lab.app.log(), await redisContent(lab.app.stores.redis), ...tables])
      for (const token of [accessToken, refreshToken]) expect(text.includes(token)).toBe(false);
  });
});
