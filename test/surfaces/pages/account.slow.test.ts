import { generate } from 'otplib';
import { beforeEach, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../src/lib/durations.ts';
import { freshApp } from '../../support/app.ts';
import { TestClient, type TestResponse } from '../../support/client.ts';
import { redirectTo, saying } from '../../support/responses.ts';
import {
  hiddenFieldsOf,
  clientAfter,
  describedBy,
  sessionHeader,
  signedIn,
  signIn,
  titled,
  whoIs,
} from './support.ts';

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await freshApp({ clock });
const client = new TestClient(app);
await app.services.queues.start();
beforeEach(() => {
  offset = 0;
});

const open = (email: string) => signedIn(app, email, clock.now());
const accountOf = async (person: TestClient) => (await person.get('/account/security')).text;
const totp = (secret: string) => generate({ secret, epoch: Math.floor(clock.now() / 1000) });
/** Moves the clock to the next TOTP time step, since each code is accepted only once. */
const nextStep = () => void (offset += 30_000);
const codesOn = ({ text }: TestResponse) =>
  [...text.matchAll(/<li>((?:[0-9A-Z]{4}-){3}[0-9A-Z]{4})<\/li>/g)].map(([, code = '']) => code);
const deletedCookie = 'svc_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax';
const secondFactorForm = ({ text }: TestResponse) => hiddenFieldsOf(text, '/login/second-factor');
const enterSecond = (values: Record<string, string>, by = client) =>
  by.form('/login/second-factor', values);

/** Creates a user with an authenticator app; returns also the response with the backup codes. */
async function enroll(email: string) {
  const person = await open(email);
  const page = await person.form('/account/totp', {});
  const form = hiddenFieldsOf(page.text, '/account/totp/confirm');
  const secret = new URL(form.uri ?? '').searchParams.get('secret') ?? '';
  const code = await totp(secret);
  const confirmed = await person.form('/account/totp/confirm', { ...form, code });
  nextStep();
  return { person, secret, page, confirmed, codes: codesOn(confirmed) };
}

/** Signs in with both factors; returns the response to the second. */
async function signInWithBothFactors(email: string, code: string, by = client) {
  return enterSecond({ ...secondFactorForm(await signIn(by, email)), code }, by);
}

describe('the account', () => {
  it.each([
    ['GET', '/account', '/account'],
    ['GET', '/account/', '/account'],
    ['GET', '/account/security', '/account/security'],
    ['GET', '/account/sessions', '/account/sessions'],
    ['GET', '/account/data', '/account/data'],
    ['POST', '/account/sign-out', '/account'],
    ['POST', '/account/totp', '/account/security'],
    ['POST', '/account/backup-codes', '/account/security'],
  ])('redirects anonymous visitors of %s %s to the sign-in page', async (method, url, next) => {
    const answer = method === 'GET' ? await client.get(url) : await client.form(url, {});
    expect(answer).toMatchObject(redirectTo(`/login?next=${next}`));
  });

  it('deletes the cookie of an ended session', async () => {
    const stale = await client.as({ cookie: 'svc_session=svcs_old' }).get('/account');
    expect(stale).toMatchObject(redirectTo('/login?next=/account'));
    expect(sessionHeader(stale)).toBe(deletedCookie);
  });

  it('shows the signed-in user as escaped text, and is not cached', async () => {
    const person = await open("o'neil@example.com");
    const page = await person.get('/account?done=%3Cscript%3E');
    expect(page).toMatchObject(titled(200, 'Profile'));
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      vary: 'cookie',
      'referrer-policy': 'same-origin',
      'content-security-policy': expect.stringContaining("form-action 'self'") as string,
    });
    expect(page.text).toContain('o&#39;neil@example.com');
    expect(page.text.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/assets\/account\.[0-9A-Z]{8}\.js">$/),
    ]);
    expect(page.text).not.toMatch(/\son\w+=|\sstyle=/);
    const { text: sessions } = await person.get('/account/sessions');
    expect(sessions).toContain('This device');
    expect(sessions).not.toContain('action="/account/sessions/end"');
  });

  it('ends another own session, or all others, but not those of other users', async () => {
    const email = 'many@example.com';
    const [here, there, third] = [await open(email), await open(email), await open(email)];
    const stranger = await open('stranger@example.com');
    const { text: list } = await here.get('/account/sessions');
    const [, id = ''] = /name="id" value="([^"]*)"/.exec(list) ?? [];
    const others = async () => [await whoIs(there), await whoIs(third)];
    expect((await stranger.form('/account/sessions/end', { id })).status).toBe(303);
    expect(await others()).toEqual([email, email]);
    expect(await here.form('/account/sessions/end', { id })).toMatchObject(
      redirectTo('/account/sessions?done=session_ended'),
    );
    expect(await here.get('/account/sessions?done=session_ended')).toMatchObject(
      saying(200, 'Session ended.'),
    );
    expect((await others()).filter((who) => who === undefined)).toHaveLength(1);
    expect(await here.form('/account/sessions/end-others', {})).toMatchObject(
      redirectTo('/account/sessions?done=others_ended'),
    );
    expect(await others()).toEqual([undefined, undefined]);
    expect(await whoIs(here)).toBe(email);
    expect(await whoIs(stranger)).toBe('stranger@example.com');
    expect((await here.form('/account/sessions/end', { id: 'x' })).status).toBe(422);
  });

  it('signs out: the session ends, and the cookie is deleted', async () => {
    const person = await open('leaves@example.com');
    const left = await person.form('/account/sign-out', {});
    expect(left).toMatchObject(redirectTo('/login?done=signed_out'));
    expect(sessionHeader(left)).toBe(deletedCookie);
    expect(await whoIs(person)).toBeUndefined();
    expect(await client.get('/login?done=signed_out')).toMatchObject(
      saying(200, 'You’re signed out.'),
    );
  });

  it('refuses forms from pages of other sites', async () => {
    const person = await open('csrf-account@example.com');
    for (const url of [
      '/account/sign-out',
      '/account/sessions/end-others',
      '/account/sessions/end',
      '/account/totp',
      '/account/totp/confirm',
      '/account/totp/remove',
      '/account/backup-codes',
      '/account/passkeys',
      '/account/passkeys/remove',
    ])
      for (const origin of ['https://evil.example', 'null'])
        expect(await person.form(url, {}, { headers: { origin } }), url).toMatchObject(
          titled(403, 'Error: You don’t have access'),
        );
    expect(await whoIs(person)).toBe('csrf-account@example.com');
  });
});

describe('the second factor', () => {
  it('is set up by QR code or key; the first code shows ten backup codes once', async () => {
    const elsewhere = await open('app@example.com');
    const { person, page, secret, confirmed, codes } = await enroll('app@example.com');
    expect(page).toMatchObject(titled(200, 'Set up authenticator app'));
    const picture = /src="data:image\/svg\+xml;base64,[\w+/=]+" width="240" height="240"/.source;
    expect(page.text).toMatch(new RegExp(`<img class="qr" ${picture} alt="[^"]+">`));
    expect(page.text.replaceAll(' ', '')).toContain(`<code>${secret}</code>`);
    expect(confirmed).toMatchObject(titled(200, 'Your backup codes'));
    expect(new Set(codes).size).toBe(10);
    expect(confirmed.headers['cache-control']).toBe('no-store');
    expect(await whoIs(elsewhere)).toBeUndefined();
    expect(await whoIs(person)).toBe('app@example.com');
    const account = await accountOf(person);
    expect(account).toContain('action="/account/totp/remove"');
    expect(account).toContain('Backup codes left: 10.');
    expect(account).not.toContain(secret);
    expect(account).not.toContain(codes[0] ?? '?');
    expect(app.log()).not.toContain(secret);
    expect(await person.form('/account/totp', {})).toMatchObject(
      titled(409, 'Error: Already done'),
    );
  });

  it('keeps the QR code after a wrong first code', async () => {
    const person = await open('first-code@example.com');
    const page = await person.form('/account/totp', {});
    const form = hiddenFieldsOf(page.text, '/account/totp/confirm');
    const none = await person.form('/account/totp/confirm', { ...form, code: 'x<b>' });
    expect(none).toMatchObject(titled(422, 'Error: Set up authenticator app'));
    expect(describedBy(none.text, 'code')).toMatch(/^Enter the 6 digits/);
    const wrong = await person.form('/account/totp/confirm', { ...form, code: '000 000' });
    expect(wrong).toMatchObject(titled(400, 'Error: Set up authenticator app'));
    expect(describedBy(wrong.text, 'code')).toMatch(/^This code is wrong/);
    expect(hiddenFieldsOf(wrong.text, '/account/totp/confirm')).toEqual(form);
    const evil = { code: '1', uri: 'javascript:alert(1)' };
    expect((await person.form('/account/totp/confirm', evil)).status).toBe(422);
    expect(await accountOf(person)).toContain(
      'Set up an authenticator app to use it as a second factor.',
    );
  });

  it('is required after the code; only then a new session replaces the old', async () => {
    const email = 'both@example.com';
    const { person, secret } = await enroll(email);
    const due = await signIn(person, email, '/docs');
    expect(due).toMatchObject(titled(200, 'Two-factor authentication'));
    expect(sessionHeader(due)).toBe('');
    const form = secondFactorForm(due);
    const wrong = await enterSecond({ ...form, code: '000000' }, person);
    expect(wrong).toMatchObject(titled(400, 'Error: Two-factor authentication'));
    expect(sessionHeader(wrong)).toBe('');
    expect(describedBy(wrong.text, 'code')).toMatch(/^This code is wrong/);
    expect(secondFactorForm(wrong)).toEqual(form);
    expect(await whoIs(person)).toBe(email);
    const code = await totp(secret);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const done = await enterSecond({ ...form, code: spaced }, person);
    expect(done).toMatchObject(redirectTo('/docs'));
    expect(sessionHeader(done)).toMatch(
      /^svc_session=svcs_[\w-]{91}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect(await whoIs(person)).toBeUndefined();
    expect(await whoIs(clientAfter(app, done))).toBe(email);
    nextStep();
    const again = await enterSecond({ ...form, code: await totp(secret) });
    expect(again).toMatchObject(titled(400, 'Error: Sign in'));
    expect(describedBy(again.text, 'identifier')).toMatch(
      /^This sign-in took too long and expired\. Start again\./,
    );
  });

  it('must be entered within ten minutes', async () => {
    const { secret } = await enroll('slow@example.com');
    const form = secondFactorForm(await signIn(client, 'slow@example.com'));
    offset += 10 * minuteMs;
    const late = await enterSecond({ ...form, code: await totp(secret) });
    expect(late).toMatchObject(titled(400, 'Error: Sign in'));
    expect(sessionHeader(late)).toBe('');
  });

  it('may be a backup code, once', async () => {
    const [code = ''] = (await enroll('backup@example.com')).codes;
    const done = await signInWithBothFactors('backup@example.com', code.toLowerCase());
    expect(done).toMatchObject(redirectTo('/account'));
    expect(await accountOf(clientAfter(app, done))).toContain('Backup codes left: 9.');
    expect(await signInWithBothFactors('backup@example.com', code)).toMatchObject(
      titled(400, 'Error: Two-factor authentication'),
    );
  });

  it('is locked after ten wrong codes; the page says how long to wait', async () => {
    await enroll('guesser@example.com');
    const form = secondFactorForm(await signIn(client, 'guesser@example.com'));
    for (let tries = 0; tries < 10; tries += 1)
      expect((await enterSecond({ ...form, code: '000000' })).status).toBe(400);
    const locked = await enterSecond({ ...form, code: '000000' });
    expect(locked).toMatchObject(titled(429, 'Error: Too many attempts'));
    expect(locked.text).toContain('Wait 15 minutes, then try again.');
  });

  it('can be changed only shortly after a sign-in with it; the page says why', async () => {
    const email = 'changes@example.com';
    const { person, secret, codes } = await enroll(email);
    for (const url of ['/account/totp/remove', '/account/backup-codes'])
      expect(await person.form(url, {}), url).toMatchObject(
        redirectTo('/login?next=/account/security&reason=second_factor'),
      );
    expect(await person.get('/login?next=/account/security&reason=second_factor')).toMatchObject(
      saying(200, 'Sign in with your second factor'),
    );
    const done = await signInWithBothFactors(email, await totp(secret), person);
    const strong = clientAfter(app, done);
    const renewed = await strong.form('/account/backup-codes', {});
    expect(renewed.status).toBe(200);
    expect(codesOn(renewed)).toHaveLength(10);
    expect(codesOn(renewed).filter((code) => codes.includes(code))).toEqual([]);
    offset += 6 * minuteMs;
    for (const url of ['/account/totp/remove', '/account/backup-codes', '/account/totp'])
      expect(await strong.form(url, {}), url).toMatchObject(
        redirectTo('/login?next=/account/security&reason=fresh'),
      );
    expect(await strong.get('/login?next=/account/security&reason=fresh')).toMatchObject(
      saying(200, 'confirm it’s you by signing in again'),
    );
    offset -= 6 * minuteMs;
    expect(await strong.form('/account/totp/remove', {})).toMatchObject(
      redirectTo('/account/security?done=totp_removed'),
    );
    expect((await signIn(client, email)).status).toBe(303);
  });
});

describe('the sign-in form', () => {
  it('has a rate limit, which answers with a page', async () => {
    const limited = await freshApp({ env: { RATE_LIMIT: 'on' } });
    try {
      const enter = () => new TestClient(limited).form('/login', { identifier: 'nobody' });
      for (let at = 0; at < 30; at += 1) expect((await enter()).status).toBe(422);
      const last = await enter();
      expect(last).toMatchObject(titled(429, 'Error: Too many attempts'));
      expect(last.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(last.text).toMatch(/Wait \d+ (seconds|minutes), then try again/);
    } finally {
      await limited.close();
    }
  });

  it('sets a Secure cookie over HTTPS', async () => {
    const secure = await freshApp({ env: { BASE_URL: 'https://app.example.com' } });
    try {
      await secure.services.queues.start();
      const done = await signIn(new TestClient(secure), 'tls@example.com');
      expect(sessionHeader(done)).toContain('; HttpOnly; Secure; SameSite=Lax');
    } finally {
      await secure.close();
    }
  });
});
