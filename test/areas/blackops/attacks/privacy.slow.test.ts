import { createHash } from 'node:crypto';
import { beforeAll, describe, expect } from 'vitest';
import { sqlContent } from '../../../support/abuse.ts';
import { asAdmin, type TestApp } from '../../../support/app.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { createBearerClient, newKeys } from '../../../support/bearer-devices.ts';
import {
  clearByKey,
  clearedOn,
  copyOf,
  createDeviceBrowser,
  type DeviceBrowser,
  entriesOf,
  mount,
  places,
  signProof,
  storedDevice,
} from '../../../support/devices.ts';

let offset = 0;
const now = () => Date.now() + offset;
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices', { clock: { now } });
});

const fingerprint = 'fingerprint-that-nobody-else-has-4711';
const addresses = { v4: places.us, v6: '2001:4860:4860:1234:5678:9abc:def0:8888' };

/** The full content of Redis: keys, fields and values. */
async function redisContent(): Promise<string> {
  const { redis } = app.stores;
  const read = async (key: string) => {
    const type = await redis.type(key);
    if (type === 'hash') return JSON.stringify(await redis.hgetall(key));
    if (type === 'string') return (await redis.get(key)) ?? '';
    if (type === 'set') return JSON.stringify(await redis.smembers(key));
    if (type === 'list') return JSON.stringify(await redis.lrange(key, 0, -1));
    return type === 'zset' ? JSON.stringify(await redis.zrange(key, '0', '-1')) : '';
  };
  const lines = await Promise.all(
    (await redis.keys('*')).map(async (key) => `${key} ${await read(key)}`),
  );
  return lines.join('\n');
}

interface Run {
  secrets: Map<string, string>;
  answers: string[];
  deviceIds: string[];
}

const noteJar = (secrets: Map<string, string>, { jar }: DeviceBrowser, name: string) => {
  const [id = '', secret = ''] = (jar.get('svc_device') ?? '').split('.');
  if (id !== '') secrets.set(`${name}: device secret`, secret);
  secrets.set(`${name}: session`, jar.get('svc_session') ?? '');
};

/** Runs two devices through their life cycle with attacks; returns their secrets and responses. */
async function runLifeCycle(): Promise<Run> {
  const secrets = new Map([['fingerprint', fingerprint]]);
  const answers: string[] = [];
  const record = <T extends { body: unknown; headers: unknown }>(answer: T): T => {
    answers.push(JSON.stringify(answer.body));
    return answer;
  };
  const { browser: admin, deviceId: own } = await clearedOn(
    app,
    { email: 'admin@example.com', acr: 'aal2' },
    { hasKey: true, now, address: addresses.v4 },
  );
  const other = createDeviceBrowser(app, { now, address: addresses.v6 });
  await other.signIn({ email: 'other@example.com', acr: 'aal2' });
  noteJar(secrets, admin, 'admin');
  const asked = record(
    await other.ask({ fingerprint, device_name: 'A laptop', reason: 'new one' }),
  );
  noteJar(secrets, other, 'other');
  const id = String(asked.body.device_id);
  const proof = (await admin.proofFor('GET', `${mount}/dashboard`)).dpop ?? '';
  secrets
    .set('nonce', admin.self.nonce ?? '')
    .set('proof', proof)
    .set('signature', proof.split('.')[2] ?? '');
  record(await admin.send(`${mount}/dashboard`, { prove: false, headers: { dpop: proof } }));
  record(await admin.send(`${mount}/dashboard`, { prove: false, headers: { dpop: proof } }));
  record(await admin.call(`${mount}/requests`));
  record(await admin.approve(asked.body.request_id, asked.body.number));
  record(await other.status({ fingerprint }));
  record(await admin.call(`${mount}/devices?user_id=${other.self.userId}`));
  offset += 6 * 60_000;
  record(await other.status({ fingerprint }));
  noteJar(secrets, other, 'other after the rotation');
  record(await copyOf(app, other, { address: places.jp, now }).call(`${mount}/devices`));
  record(await other.call(`${mount}/devices`));
  await other.signIn({ email: 'other@example.com', acr: 'aal2' });
  record(await other.call(`${mount}/devices/${id}/restore`, { method: 'POST' }));
  noteJar(secrets, other, 'other after the restoration');
  for (const path of ['requests?state=decided', 'dashboard', 'analytics', 'devices'])
    record(await admin.call(`${mount}/${path}`));
  record(await other.revoke({ fingerprint }));
  return { secrets, answers, deviceIds: [own, id] };
}

describe('after a full life cycle of two devices', () => {
  let run: Run;
  beforeAll(async () => {
    run = await runLifeCycle();
  });

  const expectNone = (text: string) => {
    for (const [name, secret] of run.secrets)
      expect({ name, isLong: secret.length > 30, isThere: text.includes(secret) }).toEqual({
        name,
        isLong: true,
        isThere: false,
      });
  };

  it('case 22 › the log has no secret, cookie, nonce, proof or fingerprint', () => {
    expect(app.log()).toContain('/api/auth/blackops');
    expectNone(app.log());
  });

  it('the database has none of them, and only hashes of secrets', async () => {
    const content = await sqlContent(app);
    for (const text of content.values()) expectNone(text);
    expect(await storedDevice(app, run.deviceIds[0])).toMatchObject({
      fingerprint_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      secret_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect((await storedDevice(app, run.deviceIds[1])).fingerprint_hash).not.toBe(
      createHash('sha256').update(fingerprint).digest('hex'),
    );
  });

  it('Redis has none of them', async () => {
    const text = await redisContent();
    expect(text).toContain('blackops:proof:');
    expectNone(text);
  });

  it('no response has a secret, a hash, a thumbprint or a cookie of another device', async () => {
    const {
      secret_hash: hash,
      jkt,
      fingerprint_hash: print,
    } = await storedDevice(app, run.deviceIds[0]);
    const text = run.answers.join('\n');
    run.secrets.delete('nonce');
    expectNone(text);
    for (const internal of [hash, jkt, print]) expect(text).not.toContain(internal ?? 'none');
  });

  it('responses and device tables have no full address, only networks', async () => {
    const content = await sqlContent(app);
    for (const text of [
      ...run.answers,
      content.get('devices') ?? '',
      content.get('clearance_requests') ?? '',
      content.get('first_cleared_device') ?? '',
    ]) {
      for (const address of [...Object.values(addresses), '2001:4860:4860:1234', places.jp])
        expect(text).not.toContain(address);
    }
    expect(run.answers.join('\n')).toContain('8.8.8.0/24');
    expect(content.get('devices')).toContain('2001:4860:4860::/48');
  });

  it('only responses to the owner have the number, and no audit entry has it', async () => {
    expect(run.answers.slice(1).join('\n')).not.toMatch(/"number":"/);
    for (const id of run.deviceIds)
      expect(JSON.stringify(await entriesOf(app, id))).not.toContain('"number"');
    expect(app.log()).not.toContain('"number"');
  });
});

it('responses and logs of refused calls do not repeat their secrets', async () => {
  const { browser } = await clearedOn(app, { email: 'refused@example.com' }, { hasKey: true, now });
  const keys = await newKeys();
  const dpop = await signProof({
    keys,
    url: `${mount}/dashboard`,
    method: 'GET',
    nonce: browser.self.nonce,
    at: now(),
  });
  const odd = 'odd-fingerprint-0123456789-0123456789';
  const answers = [
    await browser.send(`${mount}/dashboard`, { prove: false, headers: { dpop } }),
    await browser.send(`${mount}/status`, {
      method: 'POST',
      body: { fingerprint: odd, public_key: 'no key' },
    }),
    await browser.send(`${mount}/request-clearance`, {
      method: 'POST',
      body: { fingerprint: odd, proof: dpop, device_name: '' },
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 422, 422]);
  for (const text of [app.log(), ...answers.map(({ body }) => JSON.stringify(body))]) {
    for (const secret of [
      odd,
      dpop,
      browser.jar.get('svc_device') ?? dpop,
      browser.jar.get('svc_session') ?? dpop,
    ])
      expect(text).not.toContain(secret);
  }
});

it('no store and no log has the tokens of clients without cookies', async () => {
  const holder = await createBearerClient(
    app,
    { email: 'bearer@example.com', roles: ['admin'] },
    { now },
  );
  const keys = await newKeys();
  await clearByKey(app, await holder.ask({ keys }), asAdmin.authorization);
  expect(await holder.refresh({ keys })).toMatchObject({ status: 200 });
  const texts = [app.log(), await redisContent(), ...(await sqlContent(app)).values()];
  for (const text of texts)
    for (const token of [holder.self.tokens.accessToken, holder.self.tokens.refreshToken])
      expect(text.includes(token)).toBe(false);
});
