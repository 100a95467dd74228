import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { codeFor, post, type SignedIn, openBearer } from '../../support/sign-in.ts';

const minute = 60_000;
let offset = 0;
let app: FreshApp;
const clock = { now: () => Date.now() + offset };

beforeAll(async () => {
  app = await freshApp({ clock, isEmbedded: true });
  await app.services.queues.start();
}, 30_000);
afterAll(() => app.close());

/** Moves to the next time step, so that the next code is a new one. */
const nextStep = () => void (offset += 30_000);
const totp = (secret: string) => generate({ secret, epoch: Math.floor(clock.now() / 1000) });
const get = async (url: string, headers: Record<string, string>) =>
  (await app.http.inject({ url, headers })).json<Record<string, unknown>>();

interface Enrolled extends SignedIn {
  email: string;
  secret: string;
}

let people = 0;
async function enrolled(): Promise<Enrolled> {
  const email = `totp-${people++}@example.com`;
  const person = await openBearer(app, email);
  const { body } = await post(app, '/api/auth/2fa/totp', {}, person.bearer);
  const secret = String(body.secret);
  const confirmed = await post(
    app,
    '/api/auth/2fa/totp/confirm',
    { code: await totp(secret) },
    person.bearer,
  );
  expect(confirmed).toMatchObject({ status: 200, body: { ok: true } });
  return { ...person, email, secret };
}

/** Signs in with a code by email, up to the second factor. */
async function firstFactor(email: string): Promise<Record<string, unknown>> {
  const after = app.services.outbox.list(email).length;
  await post(app, '/api/auth/email/initiate', { email });
  return (
    await post(app, '/api/auth/otp/verify', { email, code: await codeFor(app, email, { after }) })
  ).body;
}

const sessionsOf = (userId: string) => app.services.sessions.list(userId);

describe('an authenticator app', () => {
  it('takes effect after its first code, and never returns its secret again', async () => {
    const person = await openBearer(app, 'not-yet@example.com');
    const { body } = await post(app, '/api/auth/2fa/totp', {}, person.bearer);
    expect(body).toMatchObject({
      otpauth_url: expect.stringMatching(/^otpauth:\/\/totp\//) as string,
      qr_svg: expect.stringMatching(/^<svg/) as string,
    });
    expect(await get('/api/auth/2fa/status', person.bearer)).toMatchObject({
      enabled: false,
      totp_enabled: false,
    });
    expect(await firstFactor('not-yet@example.com')).toMatchObject({
      status: 'authenticated',
      mfa_required: false,
    });
    const wrong = await post(app, '/api/auth/2fa/totp/confirm', { code: '000000' }, person.bearer);
    expect(wrong).toMatchObject({ status: 400, body: { code: 'otp.invalid' } });
    expect(await get('/api/auth/2fa/status', person.bearer)).toMatchObject({ enabled: false });
    expect(JSON.stringify(await get('/api/auth/2fa/status', person.bearer))).not.toContain(
      String(body.secret),
    );
  });

  it('case 45 › is required on every route before a session opens', async () => {
    const { email, userId, secret } = await enrolled();
    const before = (await sessionsOf(userId)).length;
    const due = await firstFactor(email);
    expect(due).toMatchObject({
      status: 'mfa_required',
      mfa_required: true,
      access_token: null,
      refresh_token: null,
      user: null,
      mfa_methods: ['totp', 'backup_code'],
    });
    const identity = { kind: 'email' as const, key: email, value: email };
    const from = { begun: clock.now(), client: 'test', address: '127.0.0.1', requestId: 'test' };
    const mfaToken = expect.stringMatching(/^svcm_/) as string;
    const proved = { identity, amr: ['fed'], ...from };
    const cookie = await app.services.signIn.asCookie(proved);
    expect(cookie).toMatchObject({ mfa: { mfaToken } });
    expect(cookie).not.toHaveProperty('session');
    const bearer = await app.services.signIn.asBearer(proved);
    expect(bearer).toMatchObject({ mfa_token: mfaToken, access_token: null, session_id: null });
    expect(await sessionsOf(userId)).toHaveLength(before);
    expect(
      (
        await app.http.inject({
          url: '/api/auth/me',
          headers: { authorization: `Bearer ${String(due.mfa_token)}` },
        })
      ).statusCode,
    ).toBe(401);

    nextStep();
    const done = await post(app, '/auth/otp/verify', {
      mfa_token: due.mfa_token,
      code: await totp(secret),
    });
    expect(done.body).toMatchObject({ status: 'authenticated', mfa_required: false });
    expect(
      await get('/api/auth/me', { authorization: `Bearer ${String(done.body.access_token)}` }),
    ).toMatchObject({ acr: 'aal2', amr: ['otp', 'mfa'] });
  });

  it('accepts each code and each sign-in once, even concurrently', async () => {
    const { email, secret, userId } = await enrolled();
    const due = await firstFactor(email);
    nextStep();
    const code = await totp(secret);
    const before = (await sessionsOf(userId)).length;
    const responses = await Promise.all(
      Array.from({ length: 8 }, () =>
        post(app, '/api/auth/otp/verify', { mfa_token: due.mfa_token, code }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(userId)).toHaveLength(before + 1);
    nextStep();
    const again = await post(app, '/api/auth/otp/verify', {
      mfa_token: due.mfa_token,
      code: await totp(secret),
    });
    expect(again).toMatchObject({ status: 400, body: { code: 'auth.invalid_mfa_token' } });
  });

  it('is locked after ten consecutive wrong codes, even for the right one', async () => {
    const { email, secret } = await enrolled();
    const due = [await firstFactor(email), await firstFactor(email)];
    for (let attempt = 0; attempt < 10; attempt++) {
      const wrong = await post(app, '/api/auth/otp/verify', {
        mfa_token: due[attempt % 2]?.mfa_token,
        code: '000000',
      });
      expect(wrong).toMatchObject({ status: 400, body: { code: 'otp.invalid' } });
    }
    nextStep();
    const refused = await post(app, '/api/auth/otp/verify', {
      mfa_token: due[0]?.mfa_token,
      code: await totp(secret),
    });
    expect(refused).toMatchObject({ status: 429, body: { code: 'otp.too_many_attempts' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
  });

  it('is removed only after a fresh sign-in with it, which ends other sessions', async () => {
    const { email, secret, bearer, userId } = await enrolled();
    const remove = (headers: Record<string, string>) =>
      app.http.inject({ method: 'DELETE', url: '/api/auth/2fa/totp', headers });
    expect((await remove(bearer)).json()).toMatchObject({ code: 'second_factor.aal2_required' });
    const due = await firstFactor(email);
    nextStep();
    const { body } = await post(app, '/api/auth/otp/verify', {
      mfa_token: due.mfa_token,
      code: await totp(secret),
    });
    const strong = { authorization: `Bearer ${String(body.access_token)}` };
    offset += 6 * minute;
    const stale = await remove(strong);
    expect({ status: stale.statusCode, code: stale.json<{ code: string }>().code }).toEqual({
      status: 401,
      code: 'auth.step_up_required',
    });
    expect(stale.headers['www-authenticate']).toContain('insufficient_user_authentication');
    offset -= 6 * minute;
    expect((await remove(strong)).statusCode).toBe(200);
    expect((await app.http.inject({ url: '/api/auth/me', headers: bearer })).statusCode).toBe(401);
    expect(await sessionsOf(userId)).toHaveLength(1);
    expect(await firstFactor(email)).toMatchObject({ status: 'authenticated' });
  });
});

describe('backup codes', () => {
  const codesOf = async (bearer: Record<string, string>) =>
    (await post(app, '/api/auth/backup-codes', {}, bearer)).body.backup_codes as string[];
  const use = (code: string, userId: string, body: unknown = {}) =>
    post(
      app,
      `/api/auth/backup-codes/verify?code=${encodeURIComponent(code)}&user_id=${userId}`,
      body,
    );

  it('case 46 › each works once, even concurrently; new ones replace the old', async () => {
    const { bearer, userId } = await openBearer(app, 'codes@example.com');
    const [first = '', second = '', third = '', ...others] = await codesOf(bearer);
    expect(others).toHaveLength(7);
    expect(first).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    const opened = await use(first.toLowerCase().replaceAll('-', ' '), userId);
    expect(opened.body).toMatchObject({ status: 'authenticated' });
    expect(
      await get('/api/auth/me', { authorization: `Bearer ${String(opened.body.access_token)}` }),
    ).toMatchObject({ acr: 'aal1', amr: ['backup_code'] });
    expect(await use(first, userId)).toMatchObject({ status: 400, body: { code: 'otp.invalid' } });
    const race = await Promise.all(Array.from({ length: 10 }, () => use(second, userId)));
    expect(race.filter(({ status }) => status === 200)).toHaveLength(1);
    await codesOf(bearer);
    expect((await use(third, userId)).status).toBe(400);
    expect(await get('/api/auth/2fa/status', bearer)).toMatchObject({ backup_codes_remaining: 10 });
  });

  it('case 46 › another or an unknown user id gets the response of a wrong code', async () => {
    const owner = await openBearer(app, 'owner@example.com');
    const other = await openBearer(app, 'other@example.com');
    const [code = ''] = await codesOf(owner.bearer);
    const responses = [
      await use(code, other.userId),
      await use(code, '00000000-0000-4000-8000-000000000000'),
      await use('0000-0000-0000-0000', owner.userId),
    ];
    for (const { status, body } of responses)
      expect({ status, code: body.code, detail: body.detail }).toEqual({
        status: 400,
        code: 'otp.invalid',
        detail: 'Invalid or expired code',
      });
    expect((await use(code, owner.userId)).status).toBe(200);
  });

  it('complete a pending sign-in and never appear in the log', async () => {
    const { email, bearer, userId, secret } = await enrolled();
    const due = await firstFactor(email);
    nextStep();
    const strong = await post(app, '/api/auth/otp/verify', {
      mfa_token: due.mfa_token,
      code: await totp(secret),
    });
    const [code = ''] = await codesOf({
      authorization: `Bearer ${String(strong.body.access_token)}`,
    });
    expect((await post(app, '/api/auth/backup-codes', {}, bearer)).body.code).toBe(
      'second_factor.aal2_required',
    );
    const second = await firstFactor(email);
    const done = await use(code, userId, { mfa_token: second.mfa_token });
    expect(
      await get('/api/auth/me', { authorization: `Bearer ${String(done.body.access_token)}` }),
    ).toMatchObject({ acr: 'aal2', amr: ['otp', 'backup_code', 'mfa'] });
    expect(app.log()).not.toContain(code);
    expect(app.log()).not.toContain(secret);
  });

  it('notify the user when one is used alone', async () => {
    const { bearer, userId } = await openBearer(app, 'told@example.com');
    const [code = ''] = await codesOf(bearer);
    await use(code, userId);
    await expect
      .poll(() =>
        app.services.outbox
          .list('told@example.com')
          .map(({ text }) => text)
          .join(),
      )
      .toContain('backup code');
    expect(
      app.services.outbox.list('told@example.com').some(({ text }) => text.includes(code)),
    ).toBe(false);
  });
});

it('case 47 › second factors need a session, and to change them a recent sign-in', async () => {
  for (const [method, url] of [
    ['POST', '/api/auth/backup-codes'],
    ['GET', '/api/auth/2fa/status'],
    ['POST', '/auth/2fa/totp'],
  ] as const) {
    expect((await app.http.inject({ method, url })).statusCode).toBe(401);
  }
  const { bearer } = await openBearer(app, 'stale@example.com');
  offset += 6 * minute;
  expect(await post(app, '/api/auth/backup-codes', {}, bearer)).toMatchObject({
    status: 401,
    body: { code: 'auth.step_up_required' },
  });
  expect((await app.http.inject({ url: '/api/auth/2fa/status', headers: bearer })).statusCode).toBe(
    200,
  );
});
