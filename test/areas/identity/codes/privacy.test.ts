import { generate } from 'otplib';
import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import {
  ask,
  askCode,
  enter,
  inventory,
  me,
  notThe,
  ownersOf,
  sqlContent,
} from '../../../support/abuse.ts';
import { TestClient } from '../../../support/client.ts';
import { rounds } from '../../../support/rounds.ts';
import { codeFor, openCookie } from '../../../support/sign-in.ts';
import { redisContent } from '../../comms/redis-content.ts';
import { hiddenFieldsOf } from '../../../surfaces/pages/support.ts';

const app = await sharedApp();
const client = new TestClient(app);

/**
 * The lower quartile. Other load on the machine makes calls slower, never faster, so that the fast
 * ones are the most accurate.
 */
const quartile = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 4)] ?? 0;
const comparable = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>) => ({
  status,
  headers: Object.keys(headers).sort(),
  length: headers['content-length'],
  body: { ...body, request_id: '', verification_id: '', expires_at: '', to: '' },
});

describe('responses do not reveal whether an identifier is known', () => {
  const people = rounds(40, 100);
  const known = (at: number) => `case14.${String(at).padStart(3, '0')}.k@example.com`;
  const unknown = (at: number) => `case14.${String(at).padStart(3, '0')}.u@example.com`;
  const phoneOf = (at: number, last: number) =>
    `+4915${String(20_000_000 + at * 50_021 + last).slice(0, 8)}1`;

  beforeAll(async () => {
    for (let at = 0; at < people; at += 1)
      await app.services.users.signInAs({ kind: 'email', key: known(at), value: known(at) });
  });

  /**
   * Alternates the same call between known and unknown users. Returns the lower quartiles of the
   * times in ms.
   */
  async function race(
    status: number,
    call: (to: string) => Promise<Awaited<ReturnType<typeof ask>>>,
    names = { known, unknown },
    count = people,
  ): Promise<{ known: number; unknown: number }> {
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let at = 0; at < count; at += 1) {
      const order =
        at % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      const responses: Partial<Record<'known' | 'unknown', ReturnType<typeof comparable>>> = {};
      for (const who of order) {
        const began = performance.now();
        responses[who] = comparable(await call(names[who](at)));
        times[who].push(performance.now() - began);
      }
      expect(responses.known?.status).toBe(status);
      expect(responses.unknown).toEqual(responses.known);
    }
    return { known: quartile(times.known), unknown: quartile(times.unknown) };
  }

  const areAlike = (times: { known: number; unknown: number }) => {
    const gap = Math.abs(times.known - times.unknown);
    expect(gap, JSON.stringify(times)).toBeLessThan(Math.max(10, 0.05 * times.known));
  };

  it('case 14 › to a request for a code by email, in content and time', async () => {
    areAlike(await race(200, (to) => ask(app, to)));
  });

  it('case 14 › to a wrong code, in content and time', async () => {
    const before = await inventory(app);
    areAlike(await race(400, (to) => enter(app, to, '000000')));
    expect(await inventory(app)).toEqual(before);
  });

  it('case 14 › to codes by phone, requested or wrong, in content and time', async () => {
    const numbers = {
      known: (at: number) => phoneOf(at, 1),
      unknown: (at: number) => phoneOf(at, 5_000),
    };
    // As many codes as a country gets before one is entered.
    const count = 20;
    for (let at = 0; at < count; at += 1)
      await app.services.users.signInAs({
        kind: 'phone',
        key: numbers.known(at),
        value: numbers.known(at),
      });
    const before = await inventory(app);
    const send = (phone: string) => client.post('/api/auth/mobile/initiate', { phone });
    const guess = (phone: string) => client.post('/auth/mobile/verify', { phone, code: '000000' });
    areAlike(await race(200, send, numbers, count));
    areAlike(await race(400, guess, numbers, count));
    expect(await inventory(app)).toEqual({ ...before, messages: before.messages + 2 * count });
    expect(await ownersOf(app, numbers.unknown(0))).toEqual([]);
  });

  it('case 14 › on the pages', async () => {
    const plain = (text: string) =>
      text.replaceAll(/case14\.page\.(?:yes|no)@example\.com|value="[0-9a-f-]{36}"/g, '');
    const knownEmail = 'case14.page.yes@example.com';
    await app.services.users.signInAs({ kind: 'email', key: knownEmail, value: knownEmail });
    const pagesOf = async (identifier: string) => {
      const sent = await client.form('/login', { identifier });
      const values = hiddenFieldsOf(sent.text, '/login/code');
      const wrong = await client.form('/login/code', { ...values, code: '000000' });
      expect(sent.status).toBe(200);
      expect(wrong.status).toBe(400);
      return [sent, wrong].map(({ headers, text }) => ({
        names: Object.keys(headers).sort(),
        text: plain(text),
      }));
    };
    expect(await pagesOf('case14.page.no@example.com')).toEqual(await pagesOf(knownEmail));
  });

  it('case 14 › after a sign-in earlier today', async () => {
    const { code } = await askCode(app, 'case14.today@example.com');
    expect(await enter(app, 'case14.today@example.com', code)).toMatchObject({ status: 200 });
    const again = await enter(app, 'case14.today@example.com', code);
    expect(comparable(again)).toEqual(
      comparable(await enter(app, 'case14.never@example.com', '123456')),
    );
  });

  it('case 26 › for a disabled user, before the right code', async () => {
    const to = 'case26.disabled@example.com';
    const { user } = await app.services.users.signInAs({ kind: 'email', key: to, value: to });
    await app.services.users.setDisabled(user.id, true);
    expect(comparable(await enter(app, to, '000000'))).toEqual(
      comparable(await enter(app, 'case26.nobody@example.com', '000000')),
    );
    const { code, id } = await askCode(app, to);
    const before = await inventory(app);
    const refused = await enter(app, to, code, id);
    expect(refused.status).toBe(403);
    expect(refused.body).not.toHaveProperty('access_token');
    expect(await inventory(app)).toEqual(before);
  });
});

describe('no secret or personal data is stored or sent unnecessarily', () => {
  const phone = '+14155550122';
  const email = 'Case22.Secret@Example.com';
  /** Secrets that grant access, and personal data. */
  const secrets: string[] = [];
  const personal = ['4155550122', 'case22.secret', 'Case22.Secret'];
  const responses: string[] = [];

  beforeAll(async () => {
    const byPhone = await client.post('/api/auth/mobile/initiate', { phone });
    const first = await codeFor(app, phone);
    const wrong = await client.post('/api/auth/mobile/verify', { phone, code: notThe(first) });
    const signedIn = await client.post('/api/auth/mobile/verify', {
      phone,
      code: first,
      verification_id: byPhone.body.verification_id,
    });
    const { code: unused } = await askCode(app, email);
    const cookie = await openCookie(app, email);
    const refreshed = await client.post('/api/auth/token/refresh', {
      refresh_token: signedIn.body.refresh_token,
    });
    for (const body of [signedIn.body, refreshed.body])
      secrets.push(String(body.access_token), String(body.refresh_token));
    secrets.push(first, unused, cookie.cookie);
    const bearer = { authorization: `Bearer ${String(refreshed.body.access_token)}` };
    expect((await me(app, bearer)).status).toBe(200);
    expect((await me(app, cookie.headers)).status).toBe(200);
    const broken = [
      await client.post('/api/auth/otp/verify', {
        identifier: email,
        code: [unused],
        verification_id: 7,
      }),
      await client.post('/api/auth/otp/verify', { code: unused }),
      await client.post('/api/auth/token/refresh', {
        refresh_token: [refreshed.body.refresh_token],
      }),
      await client.post('/api/auth/token/refresh', {
        refresh_token: `${String(refreshed.body.refresh_token)}x`,
      }),
      await client.post('/api/auth/cmyk/verify', { phone: { phone }, code: { unused } }),
      await me(app, { authorization: `Bearer ${cookie.cookie}` }),
      await me(app, { cookie: `svc_session=${String(signedIn.body.access_token)}` }),
      await client.get('/api/auth/sessions', { headers: bearer }),
      await client.get('/api/auth/status', { headers: cookie.headers }),
      await client.get('/api/health', { headers: bearer }),
    ];
    responses.push(...[byPhone, wrong, ...broken].map(({ body }) => JSON.stringify(body)));
    const address = encodeURIComponent(email);
    const accessToken = String(refreshed.body.access_token);
    await client.post(`/api/auth/otp/send?identifier=${address}&x=${unused}`);
    await client.get(`/api/auth/nowhere/${address}/${unused}?token=${accessToken}`);
    await client.put(`/api/auth/otp/verify?code=${unused}&phone=${encodeURIComponent(phone)}`);
    // Another session, ended, so that data left behind by its end is checked as well.
    const gone = await openCookie(app, email);
    secrets.push(gone.cookie);
    await client.as({ ...gone.headers, origin: app.services.baseOrigin }).post('/api/auth/logout');
    await useSecondFactor(bearer);
  }, 30_000);

  /** Enrols an authenticator app and backup codes, and uses them rightly and wrongly. */
  async function useSecondFactor(bearer: Record<string, string>): Promise<void> {
    const own = client.as(bearer);
    const { body } = await own.post<{ backup_codes: string[] }>('/api/auth/backup-codes', {});
    const codes = body.backup_codes;
    const { body: enrolment } = await own.post('/api/auth/2fa/totp', {});
    const secret = String(enrolment.secret);
    const codeAt = (seconds: number) =>
      generate({ secret, epoch: Math.floor(Date.now() / 1000) + seconds });
    const first = await codeAt(0);
    expect(await own.post('/api/auth/2fa/totp/confirm', { code: first })).toMatchObject({
      status: 200,
    });
    await client.post('/api/auth/mobile/initiate', { phone });
    const sms = await codeFor(app, phone, { after: 1 });
    const { body: due } = await client.post('/api/auth/mobile/verify', { phone, code: sms });
    const second = await codeAt(30);
    const { body: done } = await client.post('/api/auth/otp/verify', {
      mfa_token: due.mfa_token,
      code: second,
    });
    const user = done.user as { id: string };
    const use = (code: string, payload = {}) =>
      client.post('/api/auth/backup-codes/verify', payload, { query: { user_id: user.id, code } });
    const { body: opened } = await use(codes[0] ?? '');
    const broken = [
      await use(codes[0] ?? ''),
      await use(`${codes[1] ?? ''}x`),
      await use(codes[2] ?? '', { mfa_token: [due.mfa_token] }),
      await client.post('/api/auth/otp/verify', { mfa_token: due.mfa_token, code: [codes[3]] }),
    ];
    expect(broken.map(({ status }) => status)).toEqual([400, 400, 422, 422]);
    responses.push(...broken.map(({ body: response }) => JSON.stringify(response)));
    secrets.push(
      ...codes,
      ...codes.map((code) => code.replaceAll('-', '')),
      secret,
      String(due.mfa_token),
      first,
      second,
      sms,
    );
    for (const tokens of [done, opened])
      secrets.push(String(tokens.access_token), String(tokens.refresh_token));
  }

  /** The secrets that a text contains, and the secret parts of tokens. */
  const found = (text: string, needles: string[]) =>
    needles.filter(
      (needle) => text.includes(needle) || (needle.length > 60 && text.includes(needle.slice(-40))),
    );
  const isCode = (secret: string) => secret.length === 6;
  const longSecrets = () => secrets.filter((secret) => secret.length > 6);
  const digest = (text: string) => text.replaceAll(/"[0-9a-f]{64}"|"[0-9a-f-]{36}"/g, '""');

  it('case 22 › Redis holds no code, token, cookie, backup code or TOTP secret', async () => {
    const content = digest(await redisContent(app.stores.redis));
    expect(content.length).toBeGreaterThan(500);
    expect(found(content, longSecrets())).toEqual([]);
    // Six digits can be part of a time: only as a separate word are they a code.
    for (const code of secrets.filter(isCode))
      expect(content).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
  });

  it('case 22 › Redis holds no number or address in keys, codes, limits and jobs', async () => {
    const keys = await app.stores.redis.keys('*');
    expect(found(keys.join('\n'), personal)).toEqual([]);
    const content = await Promise.all(
      keys
        .filter((key) => !key.startsWith('auth:'))
        .map(async (key) => [await app.stores.redis.type(key), await app.stores.redis.dump(key)]),
    );
    expect(found(JSON.stringify(content), personal)).toEqual([]);
  });

  it('case 22 › Redis holds no number or address anywhere', async () => {
    expect(found(await redisContent(app.stores.redis), personal)).toEqual([]);
  });

  it('case 22 › the log holds no code, token, cookie, backup code, number or address', () => {
    const log = app.log();
    expect(log).toContain('otp');
    expect(found(log, [...longSecrets(), ...personal])).toEqual([]);
    for (const code of secrets.filter(isCode))
      expect(log).not.toMatch(new RegExp(`(?<![\\d.])${code}(?!\\d)`));
  });

  it('case 22 › SQL holds no code, token or cookie, and contacts only as identities', async () => {
    const tables = await sqlContent(app);
    expect([...tables.keys()]).toEqual(
      expect.arrayContaining(['users', 'identities', 'audit_events', 'deliveries']),
    );
    expect(found(tables.get('identities') ?? '', personal)).toEqual(personal);
    for (const [name, text] of tables) {
      expect(found(text, longSecrets()), name).toEqual([]);
      for (const code of secrets.filter(isCode))
        expect(text, name).not.toMatch(new RegExp(`(?<![\\d.:a-f-])${code}(?![\\da-f+-])`));
      if (name !== 'identities') expect(found(text, personal), name).toEqual([]);
    }
  });

  it("case 22 › responses hold only their own secrets, and no other's whole contact", () => {
    for (const text of responses) expect(found(text, secrets), text).toEqual([]);
    expect(found(responses[0] ?? '', personal)).toEqual([]);
  });
});
