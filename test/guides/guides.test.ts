import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as DPoP from 'dpop';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { riskRules } from '../../src/areas/blackops/recognition/risk.ts';
import { adminKey, asAdmin, freshApp, type FreshApp } from '../support/app.ts';
import { clearedOn } from '../support/devices.ts';
import { codeFor, post as postTo, signInByEmail } from '../support/sign-in.ts';
import { differences } from './answers.ts';
import { blocksOf } from './markdown.ts';
import { follow, type Step } from './reader.ts';
import { requireCurl, runShell } from './shell.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';

const phone = '+14155550132';

/** Blocks marked as not run here. A new one must be added deliberately. */
const notRun: Record<string, string[]> = {
  'one-time-codes.md': [],
  'sign-in.md': [],
  'second-factor.md': ['a browser runs it, test/surfaces/pages/passkeys.slow.test.ts'],
  'device-security.md': [],
};

let app: FreshApp;
let origin = '';
let offset = 0;
const clock = { now: () => Date.now() + offset };
const variables: Record<string, string> = {};

beforeAll(async () => {
  await requireCurl();
  app = await freshApp({ clock });
  await app.services.queues.start();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
}, 60_000);
afterAll(() => app.close());

const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json() as Promise<Record<string, unknown>>;
};

/** Passes the first factor as in the guide to one-time codes; returns the answer to the code. */
async function passFirstFactor(): Promise<Record<string, unknown>> {
  const after = app.services.outbox.list(phone).length;
  const { verification_id: id } = await post('/api/auth/mobile/initiate', { phone });
  return post('/api/auth/mobile/verify', {
    phone,
    code: await codeFor(app, phone, { after }),
    verification_id: id,
  });
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
  const { requestCode, signIn } = await loadTypeScript<Examples>(source, origin);
  const { verification_id: id } = await requestCode('+1 415 555 0133');
  await expect(signIn('+14155550133', 'wrong', id)).rejects.toThrow('otp.invalid');
  const { access_token: token } = await signIn(
    '+14155550133',
    await codeFor(app, '+14155550133'),
    id,
  );
  const me = await fetch(`${origin}/api/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await me.json()).toMatchObject({ phone_number: '+14155550133' });
  for (let sent = 1; sent < 3; sent += 1) await requestCode('+14155550133');
  await expect(requestCode('+14155550133')).rejects.toThrow(/^Wait \d+ seconds\.$/);
}

async function runTypeScript(source: string): Promise<void> {
  expect(await typeErrors(source)).toEqual([]);
  await signInByExamples(source);
}

const noTypeScript = () =>
  Promise.reject(
    new Error('there was no TypeScript in this guide: say here what has to come of it'),
  );

describe('a guide works as written', () => {
  it('one-time-codes.md', async () => {
    const steps: Step[] = [
      {
        before: /dev\/outbox/,
        act: async () => {
          await codeFor(app, phone);
        },
      },
      {
        before: /^curl .*mobile\/verify/,
        act: async (known) => {
          known.CODE = await codeFor(app, phone);
        },
      },
    ];
    expect(await follow('one-time-codes.md', { origin, variables, steps, runTypeScript })).toEqual({
      ran: 5,
      compared: 4,
      notRun: notRun['one-time-codes.md'],
    });
  });

  it('sign-in.md, with the tokens of one-time-codes.md', async () => {
    expect(
      await follow('sign-in.md', { origin, variables, steps: [], runTypeScript: noTypeScript }),
    ).toEqual({ ran: 4, compared: 4, notRun: notRun['sign-in.md'] });
    const me = await fetch(`${origin}/api/auth/me`, {
      headers: { authorization: `Bearer ${variables.ACCESS_TOKEN ?? ''}` },
    });
    expect(me.status).toBe(401);
  });

  it('second-factor.md, after another sign-in', async () => {
    const appCode = async (known: Record<string, string>) => {
      offset += 30_000;
      known.CODE = await generate({
        secret: known.SECRET ?? '',
        epoch: Math.floor(clock.now() / 1000),
      });
    };
    const backupCode = async (known: Record<string, string>) => {
      const answer = await fetch(`${origin}/api/auth/backup-codes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${known.ACCESS_TOKEN ?? ''}` },
      });
      [known.BACKUP_CODE = ''] = ((await answer.json()) as { backup_codes: string[] }).backup_codes;
    };
    const steps: Step[] = [
      { before: /-X POST .*2fa\/totp /, act: passFirstFactor },
      { before: /2fa\/totp\/confirm/, act: appCode },
      { before: /^\{\s*"access_token": null/, act: passFirstFactor },
      { before: /otp\/verify/, act: appCode },
      { before: /backup-codes\/verify/, act: backupCode },
    ];
    const reading = await follow('second-factor.md', {
      origin,
      variables,
      steps,
      runTypeScript: noTypeScript,
    });
    expect(reading).toEqual({ ran: 6, compared: 7, notRun: notRun['second-factor.md'] });
  });

  it('account.md, for a new user', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'guide-account-'));
    const { accessToken } = await signInByEmail(app, 'ada@example.com');
    const known: Record<string, string> = { ACCESS_TOKEN: accessToken };
    const headers = { authorization: `Bearer ${accessToken}` };
    const untilReady = () =>
      expect
        .poll(async () => (await fetch(`${origin}/api/v1/users/me/export`, { headers })).text(), {
          timeout: 15_000,
        })
        .toContain('"state":"ready"');
    const steps: Step[] = [
      {
        before: /email\/confirm/,
        act: async (variable) => {
          variable.CODE = await codeFor(app, 'ada@example.org');
        },
      },
      { before: /export\/file/, act: () => untilReady().then(() => undefined) },
    ];
    try {
      const options = { origin, variables: known, steps, runTypeScript: noTypeScript, folder };
      const reading = await follow('account.md', { ...options });
      expect(reading).toEqual({ ran: 9, compared: 9, notRun: [] });
    } finally {
      await rm(folder, { recursive: true });
    }
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
describe('a guide works as written for a team that has a cleared device', () => {
  let team: FreshApp;
  let ahead = 0;
  let home = '';
  let folder = '';

  beforeAll(async () => {
    // The guide shows the figures of one day, so midnight must not pass while it is read.
    ahead = 86_400_000 - (Date.now() % 86_400_000) < 30_000 ? 30_000 : 0;
    folder = await mkdtemp(join(tmpdir(), 'guide-'));
    team = await freshApp({
      clock: { now: () => Date.now() + ahead },
      env: { ADMIN_EMAILS: 'ana@example.com,ben@example.com' },
    });
    await team.services.queues.start();
    await team.http.listen({ host: '127.0.0.1', port: 0 });
    home = `http://127.0.0.1:${(team.http.server.address() as AddressInfo).port}`;
    await clearedOn(team, { email: 'ben@example.com' });
  }, 60_000);
  afterAll(async () => {
    await team.close();
    await rm(folder, { recursive: true });
  });

  /**
   * Signs Ana in again in the same browser, with the second factor. As on the sign-in page, this
   * replaces her session.
   */
  async function signInWithSecondFactor(): Promise<void> {
    const jar = join(folder, 'cookies.txt');
    const lines = await readFile(jar, 'utf8');
    const [, before = ''] = /\tsvc_session\t(\S+)/.exec(lines) ?? [];
    const [, device = ''] = /\tsvc_device\t(\S+)/.exec(lines) ?? [];
    const { user } = await team.services.users.signInAs({
      kind: 'email',
      key: 'ana@example.com',
      value: 'ana@example.com',
    });
    const old = await team.services.sessions.find(before, 'cookie');
    await team.services.sessions.end(user.id, old?.id ?? '');
    const { cookie, sessionId } = await team.services.sessions.openCookie(user, {
      amr: ['otp', 'totp', 'mfa'],
      acr: 'aal2',
      begun: Date.now() + ahead,
      client: 'curl',
    });
    await team.services.bindDevice(user.id, sessionId, `svc_device=${device}`);
    await writeFile(jar, lines.replace(before, cookie));
  }

  const statusOf = async (
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<number> =>
    (
      await fetch(home + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    ).status;

  /**
   * Checks the example: its tokens work only with its key, with which it can do what needs a
   * cleared device.
   */
  async function useDeviceExamples(source: string, known: Record<string, string>): Promise<void> {
    const { makeKeys, createClient } = await loadTypeScript<DeviceExamples>(source, home);
    const keys = await makeKeys();
    await expect(crypto.subtle.exportKey('jwk', keys.privateKey)).rejects.toThrow();
    const signIn = async () => {
      const { accessToken, refreshToken } = await signInByEmail(team, 'ben@example.com');
      return { access_token: accessToken, refresh_token: refreshToken };
    };
    const tokens = await signIn();
    const client = createClient(keys, tokens);
    const pending = await client.requestClearance('app 1.0 on a test machine', "Ben's app");
    expect(pending).toMatchObject({ state: 'pending', binding: 'key' });
    expect(pending.number).toMatch(/^\d\d$/);
    expect(await statusOf('/api/auth/me', { authorization: `Bearer ${tokens.access_token}` })).toBe(
      401,
    );
    expect(
      await statusOf('/api/auth/token/refresh', {}, { refresh_token: tokens.refresh_token }),
    ).toBe(401);
    expect((await client.refresh()).access_token).toMatch(/^svca_/);
    await expect(client.call('GET', '/blackops/dashboard')).rejects.toThrow(
      'blackops.device_not_cleared',
    );
    const approved = await postTo(
      team,
      `/api/auth/blackops/requests/${String(pending.request_id)}/approve`,
      { number: pending.number },
      asAdmin,
    );
    expect(approved).toMatchObject({ status: 200 });
    expect(await client.call('GET', '/blackops/dashboard')).toMatchObject({ days: 30 });

    const later = await signIn();
    const again = createClient(keys, later);
    expect(await again.signedIn('app 1.0 on a test machine')).toMatchObject({
      state: 'cleared',
      device_id: pending.device_id,
      requirements: [],
    });
    expect(await statusOf('/api/auth/me', { authorization: `Bearer ${later.access_token}` })).toBe(
      401,
    );
    expect(await again.call('GET', '/me')).toMatchObject({ email: 'ben@example.com' });
    known.ACCESS_TOKEN = later.access_token;
    known.PROOF = await DPoP.generateProof(
      keys,
      `${home}/api/auth/me`,
      'GET',
      undefined,
      later.access_token,
    );
  }

  it('device-security.md', async () => {
    const known: Record<string, string> = { ADMIN_API_KEY: adminKey };
    const steps: Step[] = [
      {
        before: /login\/code/,
        act: async (all) => {
          all.CODE = await codeFor(team, 'ana@example.com');
        },
      },
      { before: /blackops\.aal2_required/, act: signInWithSecondFactor },
    ];
    const runExamples = async (source: string) => {
      expect(await typeErrors(source)).toEqual([]);
      await useDeviceExamples(source, known);
    };
    expect(
      await follow('device-security.md', {
        origin: home,
        variables: known,
        steps,
        runTypeScript: runExamples,
        folder,
      }),
    ).toEqual({ ran: 15, compared: 13, notRun: notRun['device-security.md'] });
  });
});

it('device-security.md lists the risk rules in the words of the code', async () => {
  const guide = await readFile(
    join(import.meta.dirname, '../../docs/guides/device-security.md'),
    'utf8',
  );
  const [, rules = ''] = /\n## Risk rules\n([^]*?)\n## /.exec(guide) ?? [];
  const shown = [...rules.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, text]) => [
    name,
    text,
  ]);
  expect(shown).toEqual(Object.entries(riskRules));
});

describe('the reader of guides', () => {
  it('finds every block, including those that are not run', () => {
    const text = [
      '# a',
      '```sh',
      'curl x',
      '```',
      '',
      '<!-- not run: needs Stripe -->',
      '',
      '````ts',
      '```',
      '````',
      'and `a` in a line',
      '<!-- answered: 403 -->',
      '```sh',
      'curl y',
      '```',
    ].join('\n');
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
    expect(
      await runShell('curl -s "http://127.0.0.1:3000/api/health/live?$A"', origin, { A: 'a' }),
    ).toMatchObject({ statuses: [200] });
    expect(
      await runShell(
        'curl -s http://127.0.0.1:3000/nowhere; curl -s http://127.0.0.1:3000/api/auth/me',
        origin,
        {},
      ),
    ).toMatchObject({ statuses: [404, 401] });
    await expect(
      runShell('curl -s "http://127.0.0.1:3000/?$NEVER_SET"', origin, {}),
    ).rejects.toThrow('NEVER_SET');
  });
});
