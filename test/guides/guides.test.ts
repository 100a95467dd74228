import type { AddressInfo } from 'node:net';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../support/app.ts';
import { codeFor } from '../support/sign-in.ts';
import { differences } from './answers.ts';
import { blocksOf } from './markdown.ts';
import { follow, type Step } from './reader.ts';
import { requireCurl, runShell } from './shell.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';

const phone = '+14155550132';

/** Blocks that say of themselves that they can't be run here: a new one has to be entered, and so be seen. */
const notRun: Record<string, string[]> = { 'one-time-codes.md': [], 'sign-in.md': [], 'second-factor.md': ['a browser runs it, test/areas/pages/passkeys.slow.test.ts'] };

let app: TestApp;
let origin = '';
let offset = 0;
const clock = { now: () => Date.now() + offset };
const variables: Record<string, string> = {};

beforeAll(async () => {
  await requireCurl();
  app = await buildTestApp({ clock });
  await app.services.queues.start();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
}, 60_000);
afterAll(() => app.close());

const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(origin + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return answer.json() as Promise<Record<string, unknown>>;
};

/** The first factor, as the guide of one-time codes shows it: the answer to the code. */
async function firstFactor(): Promise<Record<string, unknown>> {
  const after = app.services.outbox.list(phone).length;
  const { verification_id: id } = await post('/api/auth/mobile/initiate', { phone });
  return post('/api/auth/mobile/verify', { phone, code: await codeFor(app, phone, { after }), verification_id: id });
}

interface Examples {
  askForCode: (phone: string) => Promise<{ verification_id: string }>;
  signIn: (phone: string, code: string, verificationId: string) => Promise<{ access_token: string }>;
}

/** What the examples of the one-time codes are for: somebody signs in by them, and a wrong code is an error. */
async function signInByExamples(source: string): Promise<void> {
  const { askForCode, signIn } = await loadTypeScript<Examples>(source, origin);
  const { verification_id: id } = await askForCode('+1 415 555 0133');
  await expect(signIn('+14155550133', 'wrong', id)).rejects.toThrow('otp.invalid');
  const { access_token: token } = await signIn('+14155550133', await codeFor(app, '+14155550133'), id);
  const me = await fetch(`${origin}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(await me.json()).toMatchObject({ phone_number: '+14155550133' });
  for (let asked = 1; asked < 3; asked += 1) await askForCode('+14155550133');
  await expect(askForCode('+14155550133')).rejects.toThrow(/^Wait \d+ seconds\.$/);
}

async function runTypeScript(source: string): Promise<void> {
  expect(await typeErrors(source)).toEqual([]);
  await signInByExamples(source);
}

const noTypeScript = () => Promise.reject(new Error('there was no TypeScript in this guide: say here what has to come of it'));

describe('a guide is true', () => {
  it('one-time-codes.md', async () => {
    const steps: Step[] = [
      { before: /dev\/outbox/, act: async () => { await codeFor(app, phone); } },
      { before: /^curl .*mobile\/verify/, act: async (known) => { known.CODE = await codeFor(app, phone); } },
    ];
    expect(await follow('one-time-codes.md', { origin, variables, steps, runTypeScript })).toEqual({ ran: 4, compared: 3, notRun: notRun['one-time-codes.md'] });
  });

  it('sign-in.md, with the tokens of that', async () => {
    expect(await follow('sign-in.md', { origin, variables, steps: [], runTypeScript: noTypeScript })).toEqual({ ran: 4, compared: 4, notRun: notRun['sign-in.md'] });
    const me = await fetch(`${origin}/api/auth/me`, { headers: { authorization: `Bearer ${variables.ACCESS_TOKEN ?? ''}` } });
    expect(me.status).toBe(401);
  });

  it('second-factor.md, after another sign-in', async () => {
    const appCode = async (known: Record<string, string>) => {
      offset += 30_000;
      known.CODE = await generate({ secret: known.SECRET ?? '', epoch: Math.floor(clock.now() / 1000) });
    };
    const backupCode = async (known: Record<string, string>) => {
      const answer = await fetch(`${origin}/api/auth/backup-codes`, { method: 'POST', headers: { authorization: `Bearer ${known.ACCESS_TOKEN ?? ''}` } });
      [known.BACKUP_CODE = ''] = ((await answer.json()) as { backup_codes: string[] }).backup_codes;
    };
    const steps: Step[] = [
      { before: /-X POST .*2fa\/totp /, act: firstFactor },
      { before: /2fa\/totp\/confirm/, act: appCode },
      { before: /^\{"access_token":null/, act: firstFactor },
      { before: /otp\/verify/, act: appCode },
      { before: /backup-codes\/verify/, act: backupCode },
    ];
    const reading = await follow('second-factor.md', { origin, variables, steps, runTypeScript: noTypeScript });
    expect(reading).toEqual({ ran: 6, compared: 7, notRun: notRun['second-factor.md'] });
  });
});

describe('the reader of guides', () => {
  it('finds every block, and those that are not run', () => {
    const text = ['# a', '```sh', 'curl x', '```', '', '<!-- not run: needs Stripe -->', '', '````ts', '```', '````', 'and `a` in a line'].join('\n');
    expect(blocksOf(text)).toEqual([
      { language: 'sh', text: 'curl x', line: 3, notRun: undefined },
      { language: 'ts', text: '```', line: 9, notRun: 'needs Stripe' },
    ]);
    expect(() => blocksOf('```sh\ncurl x')).toThrow('The block in line 1 has no end.');
  });

  it.each<[name: string, shown: unknown, answer: unknown, found: number]>([
    ['the same', { a: '…', b: [1, null], c: 'svca_…' }, { c: 'svca_1', b: [1, null], a: 'x' }, 0],
    ['a member that is not shown', { a: 1 }, { a: 1, b: 2 }, 1],
    ['a member that is not answered', { a: 1, b: 2 }, { a: 1 }, 1],
    ['another type', { a: '1…' }, { a: 1 }, 1],
    ['null in place of a text', { a: '…' }, { a: null }, 1],
    ['another value', { a: 300, b: 'sms' }, { a: 299, b: 'email' }, 2],
    ['another beginning', { a: 'svca_…' }, { a: 'svcr_1' }, 1],
    ['a time', { auth_time: 1 }, { auth_time: 2 }, 0],
    ['a text as a time', { auth_time: 1 }, { auth_time: '2' }, 1],
    ['fewer entries', { a: [1, 2] }, { a: [1] }, 1],
    ['more entries like the first', { a: ['x-…', '…'] }, { a: ['x-1', 'x-2', 'x-3'] }, 0],
    ['more entries, one unlike the first', { a: ['x-…', '…'] }, { a: ['x-1', 'x-2', 3] }, 1],
    ['a list in place of an object', { a: {} }, { a: [] }, 1],
  ])('sees %s', (_name, shown, answer, found) => {
    expect(differences(shown, answer)).toHaveLength(found);
  });

  it('runs shell as it stands, with its variables, and sees what was answered', async () => {
    expect(await runShell('curl -s "http://127.0.0.1:3000/api/health/live?$A"', origin, { A: 'a' })).toMatchObject({ statuses: [200] });
    expect(await runShell('curl -s http://127.0.0.1:3000/nowhere; curl -s http://127.0.0.1:3000/api/auth/me', origin, {})).toMatchObject({ statuses: [404, 401] });
    await expect(runShell('curl -s "http://127.0.0.1:3000/?$NEVER_SET"', origin, {})).rejects.toThrow('NEVER_SET');
  });
});
