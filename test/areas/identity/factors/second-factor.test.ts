import { describe, expect, it } from 'vitest';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { freshApp } from '../../../support/app.ts';
import { verifiedEmail } from '../../../support/sign-in.ts';
import { bearerOf, createPeople, type Person } from './people.ts';

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await freshApp({ clock, isEmbedded: true });
await app.services.queues.start();

const { addApp, auth, enterCode, firstFactor, newBackupCodes, newPerson, sessionsOf, totp } =
  createPeople(app, clock.now);
const statusOf = async ({ bearer }: Person) => (await auth(bearer).get('/2fa/status')).body;
/** Moves to the next time step, so that the next code is a new one. */
const nextStep = () => void (offset += 30_000);

async function enrolled(): Promise<Person & { secret: string }> {
  const person = await newPerson();
  return { ...person, secret: await addApp(person.bearer) };
}

/** Signs in with both factors. */
async function signInStrongly({ email, secret }: { email: string; secret: string }) {
  const due = await firstFactor(email);
  nextStep();
  return enterCode(due, await totp(secret));
}

describe('an authenticator app', () => {
  it('takes effect after its first code, and never returns its secret again', async () => {
    const person = await newPerson();
    const { body } = await auth(person.bearer).post('/2fa/totp', {});
    expect(body.otpauth_url).toMatch(/^otpauth:\/\/totp\//);
    expect(body.qr_svg).toMatch(/^<svg/);
    expect(await statusOf(person)).toMatchObject({ enabled: false, totp_enabled: false });
    expect(await firstFactor(person.email)).toMatchObject({
      status: 'authenticated',
      mfa_required: false,
    });
    const wrong = await auth(person.bearer).post('/2fa/totp/confirm', { code: '000000' });
    expect(wrong).toBeProblem(400, 'otp.invalid');
    const { text } = await auth(person.bearer).get('/2fa/status');
    expect(text).toContain('"enabled":false');
    expect(text).not.toContain(String(body.secret));
  });

  it('case 45 › is required on every route before a session opens', async () => {
    const { email, userId, secret } = await enrolled();
    const before = await sessionsOf(userId);
    const due = await firstFactor(email);
    expect(due).toMatchObject({
      status: 'mfa_required',
      mfa_required: true,
      access_token: null,
      refresh_token: null,
      user: null,
      mfa_methods: ['totp', 'backup_code'],
    });
    const mfaToken = expect.stringMatching(/^svcm_/) as string;
    const proved = verifiedEmail(email, clock.now(), 'fed');
    const cookie = await app.services.signIn.asCookie(proved);
    expect(cookie).toMatchObject({ mfa: { mfaToken } });
    expect(cookie).not.toHaveProperty('session');
    const bearer = await app.services.signIn.asBearer(proved);
    expect(bearer).toMatchObject({ mfa_token: mfaToken, access_token: null, session_id: null });
    expect(await sessionsOf(userId)).toBe(before);
    const authorization = `Bearer ${String(due.mfa_token)}`;
    expect(await auth({ authorization }).get('/me')).toMatchObject({ status: 401 });

    nextStep();
    const done = await enterCode(due, await totp(secret));
    expect(done.body).toMatchObject({ status: 'authenticated', mfa_required: false });
    expect((await auth(bearerOf(done)).get('/me')).body).toMatchObject({
      acr: 'aal2',
      amr: ['otp', 'mfa'],
    });
  });

  it('accepts each code and each sign-in once, even concurrently', async () => {
    const { email, secret, userId } = await enrolled();
    const due = await firstFactor(email);
    nextStep();
    const code = await totp(secret);
    const before = await sessionsOf(userId);
    const responses = await Promise.all(Array.from({ length: 8 }, () => enterCode(due, code)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(userId)).toBe(before + 1);
    nextStep();
    expect(await enterCode(due, await totp(secret))).toBeProblem(400, 'auth.invalid_mfa_token');
  });

  it('takes its code however it was pasted, and anything but a code costs no attempt', async () => {
    const person = await newPerson();
    const { body } = await auth(person.bearer).post('/2fa/totp', {});
    const secret = String(body.secret);
    const grouped = (code: string) => `\u2066${code.slice(0, 3)}\u00a0${code.slice(3)}\u2069`;
    const confirm = (code: string) => auth(person.bearer).post('/2fa/totp/confirm', { code });
    for (let at = 0; at < 11; at += 1) expect(await confirm('12345')).toBeInvalid('body.code');
    expect(await confirm(grouped(await totp(secret)))).toMatchObject({ status: 200 });
    const due = await firstFactor(person.email);
    for (let at = 0; at < 11; at += 1)
      expect(await enterCode(due, ['1234567', 'no code'][at % 2])).toBeInvalid('body.code');
    nextStep();
    const opened = await enterCode(due, grouped(await totp(secret)));
    expect(opened).toMatchObject({ status: 200 });
    const [backupCode = ''] = await newBackupCodes(bearerOf(opened));
    const typed = backupCode.toLowerCase().replaceAll('-', '\u2013');
    expect(await enterCode(await firstFactor(person.email), typed)).toMatchObject({ status: 200 });
  });

  it('is locked after ten consecutive wrong codes, even for the right one', async () => {
    const { email, secret } = await enrolled();
    const one = await firstFactor(email);
    const other = await firstFactor(email);
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await enterCode(attempt % 2 ? one : other, '000000')).toBeProblem(400, 'otp.invalid');
    nextStep();
    const refused = await enterCode(one, await totp(secret));
    expect(refused).toBeProblem(429, 'otp.too_many_attempts');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
  });

  it('is removed only after a fresh sign-in with it, which ends other sessions', async () => {
    const person = await enrolled();
    const { bearer } = person;
    const remove = (headers: Record<string, string>) => auth(headers).delete('/2fa/totp');
    expect(await remove(bearer)).toBeProblem(401, 'second_factor.aal2_required');
    const strong = bearerOf(await signInStrongly(person));
    offset += 6 * minuteMs;
    const stale = await remove(strong);
    expect(stale).toBeProblem(401, 'auth.step_up_required');
    expect(stale.headers['www-authenticate']).toContain('insufficient_user_authentication');
    offset -= 6 * minuteMs;
    expect(await remove(strong)).toMatchObject({ status: 200 });
    expect(await auth(bearer).get('/me')).toMatchObject({ status: 401 });
    expect(await sessionsOf(person.userId)).toBe(1);
    expect(await firstFactor(person.email)).toMatchObject({ status: 'authenticated' });
  });
});

describe('a backup code', () => {
  const use = (code: string, userId: string, body = {}) =>
    auth().post('/backup-codes/verify', body, { query: { code, user_id: userId } });

  it('case 46 › works once, even concurrently; new ones replace the old', async () => {
    const person = await newPerson();
    const { bearer, userId } = person;
    const [first = '', second = '', third = '', ...others] = await newBackupCodes(bearer);
    expect(others).toHaveLength(7);
    expect(first).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    const opened = await use(first.toLowerCase().replaceAll('-', ' '), userId);
    expect(opened.body).toMatchObject({ status: 'authenticated' });
    expect((await auth(bearerOf(opened)).get('/me')).body).toMatchObject({
      acr: 'aal1',
      amr: ['backup_code'],
    });
    expect(await use(first, userId)).toBeProblem(400, 'otp.invalid');
    const race = await Promise.all(Array.from({ length: 10 }, () => use(second, userId)));
    expect(race.filter(({ status }) => status === 200)).toHaveLength(1);
    await newBackupCodes(bearer);
    expect(await use(third, userId)).toMatchObject({ status: 400 });
    expect(await statusOf(person)).toMatchObject({ backup_codes_remaining: 10 });
  });

  it('case 46 › with another or an unknown user id gets the response of a wrong code', async () => {
    const owner = await newPerson();
    const other = await newPerson();
    const [code = ''] = await newBackupCodes(owner.bearer);
    for (const refused of [
      await use(code, other.userId),
      await use(code, '00000000-0000-4000-8000-000000000000'),
      await use('0000-0000-0000-0000', owner.userId),
    ]) {
      expect(refused).toBeProblem(400, 'otp.invalid');
      expect(refused.body.detail).toBe('Invalid or expired code');
    }
    expect(await use(code, owner.userId)).toMatchObject({ status: 200 });
  });

  it('completes a pending sign-in and never appears in the log', async () => {
    const person = await enrolled();
    const [code = ''] = await newBackupCodes(bearerOf(await signInStrongly(person)));
    expect(await auth(person.bearer).post('/backup-codes', {})).toBeProblem(
      401,
      'second_factor.aal2_required',
    );
    const due = await firstFactor(person.email);
    const done = await use(code, person.userId, { mfa_token: due.mfa_token });
    expect((await auth(bearerOf(done)).get('/me')).body).toMatchObject({
      acr: 'aal2',
      amr: ['otp', 'backup_code', 'mfa'],
    });
    expect(app.log()).not.toContain(code);
    expect(app.log()).not.toContain(person.secret);
  });

  it('used alone is reported to its user, without the code', async () => {
    const { bearer, userId, email } = await newPerson();
    const [code = ''] = await newBackupCodes(bearer);
    await use(code, userId);
    const texts = () => app.services.outbox.list(email).map(({ text }) => text);
    await expect.poll(() => texts().join()).toContain('backup code');
    expect(texts().join()).not.toContain(code);
  });
});

describe('a change of second factors', () => {
  it.each([
    ['POST', '/backup-codes'],
    ['GET', '/2fa/status'],
    ['POST', '/2fa/totp'],
  ] as const)('case 47 › needs a session: %s %s', async (method, url) => {
    expect(await auth().send(method, url)).toMatchObject({ status: 401 });
  });

  it('case 47 › needs a recent sign-in, which showing them does not', async () => {
    const { bearer } = await newPerson();
    offset += 6 * minuteMs;
    const refused = await auth(bearer).post('/backup-codes', {});
    expect(refused).toBeProblem(401, 'auth.step_up_required');
    expect(await auth(bearer).get('/2fa/status')).toMatchObject({ status: 200 });
  });
});
