import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as DPoP from 'dpop';
import { generate } from 'otplib';
import { describe, expect, it } from 'vitest';
import { riskRules } from '../../src/areas/identity/devices/recognition/risk.ts';
import { dayMs } from '../../src/lib/durations.ts';
import { adminKey, asAdmin } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { clearedOn } from '../support/devices.ts';
import { codeFor, openBearer } from '../support/sign-in.ts';
import { differences } from './answers.ts';
import { useGuideService } from './guide-service.ts';
import { blocksOf } from './markdown.ts';
import type { Step } from './reader.ts';
import { runShell } from './shell.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';

const phone = '+14155550132';
type Variables = Record<string, string>;

let offset = 0;
const clock = { now: () => Date.now() + offset };
const service = await useGuideService({ own: { clock } });
const client = (headers: Variables = {}) => new TestClient(service.app).as(headers);
const bearer = (token = '') => ({ authorization: `Bearer ${token}` });
/** What `sign-in.md` goes on with. */
const variables: Variables = {};

/** Sets `$CODE` to the code that was sent to an address or number. */
const readCode = (to: string) => async (known: Variables) => {
  known.CODE = await codeFor(service.app, to);
};

/** Passes the first factor as in the guide to one-time codes; returns the answer to the code. */
async function passFirstFactor(): Promise<Record<string, unknown>> {
  const after = service.app.services.outbox.list(phone).length;
  const { body: sent } = await client().post('/api/auth/mobile/initiate', { phone });
  const code = await codeFor(service.app, phone, { after });
  const { verification_id: id } = sent;
  return (await client().post('/api/auth/mobile/verify', { phone, code, verification_id: id }))
    .body;
}

interface Examples {
  requestCode: (phone: string) => Promise<{ verification_id: string }>;
  signIn: (
    phone: string,
    code: string,
    verificationId: string,
  ) => Promise<{ access_token: string }>;
}

/** Checks the examples for one-time codes: they sign a user in, and a wrong code throws. */
async function signInByExamples(source: string): Promise<void> {
  expect(await typeErrors(source)).toEqual([]);
  const { requestCode, signIn } = await loadTypeScript<Examples>(source, service.origin);
  const number = '+14155550133';
  const { verification_id: id } = await requestCode('+1 415 555 0133');
  await expect(signIn(number, '000000', id)).rejects.toThrow('otp.invalid');
  const { access_token: token } = await signIn(number, await codeFor(service.app, number), id);
  const me = await client(bearer(token)).get('/api/auth/me');
  expect(me.body).toMatchObject({ phone_number: number });
  for (let sent = 1; sent < 3; sent += 1) await requestCode(number);
  await expect(requestCode(number)).rejects.toThrow(/^Wait \d+ seconds\.$/);
}

describe('a guide works as written', () => {
  it('one-time-codes.md', async () => {
    const steps: Step[] = [
      { before: /dev\/outbox/, act: () => codeFor(service.app, phone).then(() => undefined) },
      { before: /^curl .*mobile\/verify/, act: readCode(phone) },
    ];
    const options = { variables, steps, runTypeScript: signInByExamples };
    const reading = await service.follow('one-time-codes.md', options);
    expect(reading).toEqual({ ran: 5, compared: 4, notRun: [] });
  });

  it('sign-in.md, with the tokens of one-time-codes.md', async () => {
    const reading = await service.follow('sign-in.md', { variables });
    expect(reading).toEqual({ ran: 4, compared: 4, notRun: [] });
    expect((await client(bearer(variables.ACCESS_TOKEN)).get('/api/auth/me')).status).toBe(401);
  });

  it('second-factor.md, after another sign-in', async () => {
    const appCode = async (known: Variables) => {
      offset += 30_000;
      const epoch = Math.floor(clock.now() / 1000);
      known.CODE = await generate({ secret: known.SECRET ?? '', epoch });
    };
    const backupCode = async (known: Variables) => {
      const { body } = await client(bearer(known.ACCESS_TOKEN)).post('/api/auth/backup-codes');
      [known.BACKUP_CODE = ''] = body.backup_codes as string[];
    };
    const steps: Step[] = [
      { before: /-X POST .*2fa\/totp /, act: passFirstFactor },
      { before: /2fa\/totp\/confirm/, act: appCode },
      { before: /^\{\s*"access_token": null/, act: passFirstFactor },
      { before: /otp\/verify/, act: appCode },
      { before: /backup-codes\/verify/, act: backupCode },
    ];
    const reading = await service.follow('second-factor.md', { variables, steps });
    const notRun = ['a browser runs it, test/surfaces/pages/passkeys.slow.test.ts'];
    expect(reading).toEqual({ ran: 6, compared: 7, notRun });
  });

  it('account.md, for a new user', async () => {
    const { accessToken } = await openBearer(service.app, 'ada@example.com');
    const exported = async () =>
      (await client(bearer(accessToken)).get('/api/v1/users/me/export')).body;
    const untilReady = () =>
      expect.poll(exported, { timeout: 15_000 }).toMatchObject({ state: 'ready' });
    const steps: Step[] = [
      { before: /email\/confirm/, act: readCode('ada@example.org') },
      { before: /export\/file/, act: () => untilReady().then(() => undefined) },
    ];
    const known = { ACCESS_TOKEN: accessToken };
    const reading = await service.follow('account.md', { variables: known, steps });
    expect(reading).toEqual({ ran: 9, compared: 9, notRun: [] });
  });
});

interface DeviceClient {
  call: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
  requestClearance: (fingerprint: string, name: string) => Promise<Record<string, unknown>>;
  signedIn: (fingerprint: string) => Promise<Record<string, unknown>>;
  refresh: () => Promise<{ access_token: string; refresh_token: string }>;
}

interface DeviceExamples {
  makeKeys: () => Promise<DPoP.KeyPair>;
  createClient: (
    keys: DPoP.KeyPair,
    tokens: { access_token: string; refresh_token: string },
  ) => DeviceClient;
}

/** A team of two in an app of its own: Ben's browser is cleared, Ana is about to ask. */
describe('a guide works as written for a team that has a cleared device', async () => {
  // The guide shows the figures of one day, so midnight must not pass while it is read.
  const ahead = dayMs - (Date.now() % dayMs) < 30_000 ? 30_000 : 0;
  const team = await useGuideService({
    own: {
      clock: { now: () => Date.now() + ahead },
      env: { ADMIN_EMAILS: 'ana@example.com,ben@example.com' },
    },
  });
  await clearedOn(team.app, { email: 'ben@example.com' });

  /**
   * Signs Ana in again in the same browser, with the second factor. As on the sign-in page, this
   * replaces her session.
   */
  async function signInWithSecondFactor(): Promise<void> {
    const { sessions, users, bindDevice } = team.app.services;
    const jar = join(team.folder, 'cookies.txt');
    const lines = await readFile(jar, 'utf8');
    const [, before = ''] = /\tsvc_session\t(\S+)/.exec(lines) ?? [];
    const [, device = ''] = /\tsvc_device\t(\S+)/.exec(lines) ?? [];
    const email = 'ana@example.com';
    const { user } = await users.signInAs({ kind: 'email', key: email, value: email });
    const old = await sessions.find(before, 'cookie');
    await sessions.end(user.id, old?.id ?? '');
    const { cookie, sessionId } = await sessions.openCookie(user, {
      amr: ['otp', 'totp', 'mfa'],
      acr: 'aal2',
      begun: Date.now() + ahead,
      client: 'curl',
    });
    await bindDevice(user.id, sessionId, `svc_device=${device}`);
    await writeFile(jar, lines.replace(before, cookie));
  }

  /**
   * Checks the example: its tokens work only with its key, with which it can do what needs a
   * cleared device.
   */
  async function useDeviceExamples(source: string, known: Variables): Promise<void> {
    expect(await typeErrors(source)).toEqual([]);
    const { makeKeys, createClient } = await loadTypeScript<DeviceExamples>(source, team.origin);
    const program = new TestClient(team.app).at('/api/auth');
    const keys = await makeKeys();
    await expect(crypto.subtle.exportKey('jwk', keys.privateKey)).rejects.toThrow();
    const signIn = async () => {
      const opened = await openBearer(team.app, 'ben@example.com');
      return { access_token: opened.accessToken, refresh_token: opened.refreshToken };
    };
    const tokens = await signIn();
    const device = createClient(keys, tokens);
    const pending = await device.requestClearance('app 1.0 on a test machine', "Ben's app");
    expect(pending).toMatchObject({ state: 'pending', binding: 'key' });
    expect(pending.number).toMatch(/^\d\d$/);
    expect((await program.as(bearer(tokens.access_token)).get('/me')).status).toBe(401);
    const { refresh_token: refreshToken } = tokens;
    const stolen = await program.post('/token/refresh', { refresh_token: refreshToken });
    expect(stolen.status).toBe(401);
    expect((await device.refresh()).access_token).toMatch(/^svca_/);
    await expect(device.call('GET', '/blackops/dashboard')).rejects.toThrow(
      'blackops.device_not_cleared',
    );
    const path = `/blackops/requests/${String(pending.request_id)}/approve`;
    const approved = await program.as(asAdmin).post(path, { number: pending.number });
    expect(approved.status).toBe(200);
    expect(await device.call('GET', '/blackops/dashboard')).toMatchObject({ days: 30 });

    const { access_token: token, ...others } = await signIn();
    const again = createClient(keys, { access_token: token, ...others });
    expect(await again.signedIn('app 1.0 on a test machine')).toMatchObject({
      state: 'cleared',
      device_id: pending.device_id,
      requirements: [],
    });
    expect((await program.as(bearer(token)).get('/me')).status).toBe(401);
    expect(await again.call('GET', '/me')).toMatchObject({ email: 'ben@example.com' });
    known.ACCESS_TOKEN = token;
    const url = `${team.origin}/api/auth/me`;
    known.PROOF = await DPoP.generateProof(keys, url, 'GET', undefined, token);
  }

  it('device-security.md', async () => {
    const known: Variables = { ADMIN_API_KEY: adminKey };
    const readTeamCode = async (all: Variables) => {
      all.CODE = await codeFor(team.app, 'ana@example.com');
    };
    const reading = await team.follow('device-security.md', {
      variables: known,
      steps: [
        { before: /login\/code/, act: readTeamCode },
        { before: /blackops\.aal2_required/, act: signInWithSecondFactor },
      ],
      runTypeScript: (source) => useDeviceExamples(source, known),
    });
    expect(reading).toEqual({ ran: 15, compared: 13, notRun: [] });
  });
});

it('device-security.md lists the risk rules in the words of the code', async () => {
  const guide = await readFile(
    join(import.meta.dirname, '../../docs/guides/device-security.md'),
    'utf8',
  );
  const [, rules = ''] = /\n## Risk rules\n([^]*?)\n## /.exec(guide) ?? [];
  const rows = [...rules.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)];
  expect(rows.map(([, name, text]) => [name, text])).toEqual(Object.entries(riskRules));
});

describe('the reader of guides', () => {
  it('finds every block, including those that are not run', () => {
    const text = `# a
\`\`\`sh
curl x
\`\`\`

<!-- not run: needs Stripe -->

\`\`\`\`ts
\`\`\`
\`\`\`\`
and \`a\` in a line
<!-- answered: 403 -->
\`\`\`sh
curl y
\`\`\``;
    expect(blocksOf(text)).toEqual([
      { language: 'sh', text: 'curl x', line: 3, notRun: undefined },
      { language: 'ts', text: '```', line: 9, notRun: 'needs Stripe' },
      { language: 'sh', text: 'curl y', line: 14, notRun: undefined, refusal: 403 },
    ]);
    expect(() => blocksOf('```sh\ncurl x')).toThrow('The block in line 1 has no end.');
  });

  it.each<[name: string, shown: unknown, answer: unknown, found: number]>([
    ['the same', { a: '…', b: [1, null], c: 'svca_…' }, { c: 'svca_1', b: [1, null], a: 'x' }, 0],
    ['a member that is not shown', { a: 1 }, { a: 1, b: 2 }, 1],
    ['a member that is not answered', { a: 1, b: 2 }, { a: 1 }, 1],
    ['another type', { a: '1…' }, { a: 1 }, 1],
    ['null in place of a string', { a: '…' }, { a: null }, 1],
    ['another value', { a: 300, b: 'sms' }, { a: 299, b: 'email' }, 2],
    ['another prefix', { a: 'svca_…' }, { a: 'svcr_1' }, 1],
    ['a time', { auth_time: 1 }, { auth_time: 2 }, 0],
    ['a string as a time', { auth_time: 1 }, { auth_time: '2' }, 1],
    ['fewer entries', { a: [1, 2] }, { a: [1] }, 1],
    ['more entries like the first', { a: ['x-…', '…'] }, { a: ['x-1', 'x-2', 'x-3'] }, 0],
    ['more entries, one unlike the first', { a: ['x-…', '…'] }, { a: ['x-1', 'x-2', 3] }, 1],
    ['a list in place of an object', { a: {} }, { a: [] }, 1],
  ])('compares %s', (_name, shown, answer, found) => {
    expect(differences(shown, answer)).toHaveLength(found);
  });

  it('runs shell blocks with their variables and captures the statuses', async () => {
    const run = (script: string, known: Variables = {}) => runShell(script, service.origin, known);
    const url = 'http://127.0.0.1:3000';
    expect(await run(`curl -s "${url}/api/health/live?$A"`, { A: 'a' })).toMatchObject({
      statuses: [200],
    });
    expect(await run(`curl -s ${url}/nowhere; curl -s ${url}/api/auth/me`)).toMatchObject({
      statuses: [404, 401],
    });
    await expect(run(`curl -s "${url}/?$NEVER_SET"`)).rejects.toThrow('NEVER_SET');
  });
});
