import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { codeFor } from '../../support/sign-in.ts';
import {
  carriedBy,
  cookieOf,
  describedBy,
  sessionHeader,
  signIn,
  submit,
  titleOf,
  whoIs,
} from './support.ts';

const minute = 60_000;
let app: FreshApp;
let offset = 0;
const clock = { now: () => Date.now() + offset };
beforeAll(async () => {
  app = await freshApp({ clock });
  await app.services.queues.start();
}, 30_000);
afterAll(() => app.close());
beforeEach(() => {
  offset = 0;
});

type Headers = Record<string, string>;
const get = (url: string, headers: Headers = {}) => app.http.inject({ url, headers });
const post = (url: string, headers: Headers, values: Record<string, string> = {}) =>
  submit(app, url, values, headers);
const totp = (secret: string) => generate({ secret, epoch: Math.floor(clock.now() / 1000) });
/** Moves the clock to the next TOTP time step, since each code is accepted only once. */
const nextStep = () => void (offset += 30_000);
const codesOn = (page: string) =>
  [...page.matchAll(/<li>((?:[0-9A-Z]{4}-){3}[0-9A-Z]{4})<\/li>/g)].map(([, code = '']) => code);

/** Creates a user with an authenticator app; returns also the response with the backup codes. */
async function enroll(email: string) {
  const cookie = cookieOf(await signIn(app, email));
  const page = await post('/account/totp', cookie);
  const form = carriedBy(page.body, '/account/totp/confirm');
  const secret = new URL(form.uri ?? '').searchParams.get('secret') ?? '';
  const confirmed = await post('/account/totp/confirm', cookie, {
    ...form,
    code: await totp(secret),
  });
  nextStep();
  return { cookie, secret, page, confirmed, codes: codesOn(confirmed.body) };
}

/** Signs in with both factors; returns the response to the second. */
async function signInWithBothFactors(
  email: string,
  code: string,
  next = '',
  headers: Headers = {},
) {
  const due = await signIn(app, email, { next, headers });
  return submit(
    app,
    '/login/second-factor',
    { ...carriedBy(due.body, '/login/second-factor'), code },
    headers,
  );
}

describe('the account', () => {
  it('redirects anonymous visitors to the sign-in page, whatever they request', async () => {
    for (const answer of [
      await get('/account'),
      await get('/account/'),
      await post('/account/sign-out', {}),
      await post('/account/totp', {}),
      await post('/account/backup-codes', {}),
    ]) {
      expect({ status: answer.statusCode, location: answer.headers.location }).toEqual({
        status: 303,
        location: '/login?next=/account',
      });
    }
    const stale = await get('/account', { cookie: 'svc_session=svcs_old' });
    expect({ location: stale.headers.location, sessionHeader: sessionHeader(stale) }).toEqual({
      location: '/login?next=/account',
      sessionHeader: 'svc_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    });
  });

  it('shows the signed-in user as escaped text, and is not cached', async () => {
    const cookie = cookieOf(await signIn(app, "o'neil@example.com"));
    const { statusCode, headers, body } = await get('/account?done=%3Cscript%3E', cookie);
    expect({ statusCode, title: titleOf(body) }).toEqual({
      statusCode: 200,
      title: 'Your account',
    });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      vary: 'cookie',
      'referrer-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    expect(body).toContain('<dd>o&#39;neil@example.com</dd>');
    expect(body.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/assets\/passkeys\.[0-9A-Z]{8}\.js">$/),
    ]);
    expect(body).not.toMatch(/\son\w+=|\sstyle=/);
    expect(body).toContain('This device');
    expect(body).not.toContain('End session');
  });

  it('ends another own session, or all others, but not those of other users', async () => {
    const [here, there, third] = [
      cookieOf(await signIn(app, 'many@example.com')),
      cookieOf(await signIn(app, 'many@example.com')),
      cookieOf(await signIn(app, 'many@example.com')),
    ];
    const stranger = cookieOf(await signIn(app, 'stranger@example.com'));
    const page = (await get('/account', here)).body;
    const [, id = ''] = /name="id" value="([^"]*)"/.exec(page) ?? [];
    expect((await post('/account/sessions/end', stranger, { id })).statusCode).toBe(303);
    expect({ first: await whoIs(app, there), second: await whoIs(app, third) }).toEqual({
      first: 'many@example.com',
      second: 'many@example.com',
    });
    const ended = await post('/account/sessions/end', here, { id });
    expect({ status: ended.statusCode, location: ended.headers.location }).toEqual({
      status: 303,
      location: '/account?done=session_ended',
    });
    expect((await get('/account?done=session_ended', here)).body).toContain('Session ended.');
    expect(
      [await whoIs(app, there), await whoIs(app, third)].filter((who) => who === undefined),
    ).toHaveLength(1);
    expect((await post('/account/sessions/end-others', here)).headers.location).toBe(
      '/account?done=others_ended',
    );
    expect({
      first: await whoIs(app, there),
      second: await whoIs(app, third),
      third: await whoIs(app, here),
      fourth: await whoIs(app, stranger),
    }).toEqual({
      first: undefined,
      second: undefined,
      third: 'many@example.com',
      fourth: 'stranger@example.com',
    });
    expect((await post('/account/sessions/end', here, { id: 'x' })).statusCode).toBe(422);
  });

  it('signs out: the session ends, and the cookie is deleted', async () => {
    const cookie = cookieOf(await signIn(app, 'leaves@example.com'));
    const left = await post('/account/sign-out', cookie);
    expect({
      status: left.statusCode,
      location: left.headers.location,
      sessionHeader: sessionHeader(left),
    }).toEqual({
      status: 303,
      location: '/login?done=signed_out',
      sessionHeader: 'svc_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    });
    expect(await whoIs(app, cookie)).toBeUndefined();
    expect((await get('/login?done=signed_out')).body).toContain('You’re signed out.');
  });

  it('refuses forms from pages of other sites', async () => {
    const cookie = cookieOf(await signIn(app, 'csrf-account@example.com'));
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
    ]) {
      for (const origin of ['https://evil.example', 'null']) {
        const refused = await post(url, { ...cookie, origin });
        expect({ status: refused.statusCode, title: titleOf(refused.body) }).toEqual({
          status: 403,
          title: 'Error: Not allowed',
        });
      }
    }
    expect(await whoIs(app, cookie)).toBe('csrf-account@example.com');
  });
});

describe('the second factor', () => {
  it('is set up by QR code or key; the first code shows ten backup codes once', async () => {
    const elsewhere = cookieOf(await signIn(app, 'app@example.com'));
    const { cookie, page, secret, confirmed, codes } = await enroll('app@example.com');
    expect(titleOf(page.body)).toBe('Set up authenticator app');
    const picture = /src="data:image\/svg\+xml;base64,[\w+/=]+" width="240" height="240"/.source;
    expect(page.body).toMatch(new RegExp(`<img class="qr" ${picture} alt="[^"]+">`));
    expect(page.body.replaceAll(' ', '')).toContain(`<code>${secret}</code>`);
    expect({
      status: confirmed.statusCode,
      title: titleOf(confirmed.body),
      size: new Set(codes).size,
      'cache-control': confirmed.headers['cache-control'],
    }).toEqual({ status: 200, title: 'Your backup codes', size: 10, 'cache-control': 'no-store' });
    expect({ first: await whoIs(app, elsewhere), second: await whoIs(app, cookie) }).toEqual({
      first: undefined,
      second: 'app@example.com',
    });
    const account = (await get('/account', cookie)).body;
    expect(account).toContain('Remove authenticator app');
    expect(account).toContain('Backup codes left: 10.');
    expect(account).not.toContain(secret);
    expect(account).not.toContain(codes[0] ?? '?');
    expect(app.log()).not.toContain(secret);
    const again = await post('/account/totp', cookie);
    expect({ status: again.statusCode, title: titleOf(again.body) }).toEqual({
      status: 409,
      title: 'Error: Already done',
    });
  });

  it('keeps the QR code after a wrong first code', async () => {
    const cookie = cookieOf(await signIn(app, 'first-code@example.com'));
    const page = await post('/account/totp', cookie);
    const form = carriedBy(page.body, '/account/totp/confirm');
    const wrong = await post('/account/totp/confirm', cookie, { ...form, code: 'x<b>' });
    expect({ status: wrong.statusCode, title: titleOf(wrong.body) }).toEqual({
      status: 400,
      title: 'Error: Set up authenticator app',
    });
    expect(describedBy(wrong.body, 'code')).toMatch(/^This code is wrong/);
    expect(carriedBy(wrong.body, '/account/totp/confirm')).toEqual(form);
    expect(
      (await post('/account/totp/confirm', cookie, { code: '1', uri: 'javascript:alert(1)' }))
        .statusCode,
    ).toBe(422);
    expect((await get('/account', cookie)).body).toContain(
      'Set up an authenticator app to use it as a second factor.',
    );
  });

  it('is required after the code; only then a new session replaces the old', async () => {
    const { cookie, secret } = await enroll('both@example.com');
    const due = await signIn(app, 'both@example.com', { next: '/docs', headers: cookie });
    expect({
      status: due.statusCode,
      title: titleOf(due.body),
      sessionHeader: sessionHeader(due),
    }).toEqual({ status: 200, title: 'Two-factor authentication', sessionHeader: '' });
    const form = carriedBy(due.body, '/login/second-factor');
    const wrong = await submit(app, '/login/second-factor', { ...form, code: '000000' }, cookie);
    expect({
      status: wrong.statusCode,
      title: titleOf(wrong.body),
      sessionHeader: sessionHeader(wrong),
    }).toEqual({ status: 400, title: 'Error: Two-factor authentication', sessionHeader: '' });
    expect(describedBy(wrong.body, 'code')).toMatch(/^This code is wrong/);
    expect(carriedBy(wrong.body, '/login/second-factor')).toEqual(form);
    expect(await whoIs(app, cookie)).toBe('both@example.com');
    const code = await totp(secret);
    const done = await submit(
      app,
      '/login/second-factor',
      { ...form, code: `${code.slice(0, 3)} ${code.slice(3)}` },
      cookie,
    );
    expect({ status: done.statusCode, location: done.headers.location }).toEqual({
      status: 303,
      location: '/docs',
    });
    expect(sessionHeader(done)).toMatch(
      /^svc_session=svcs_[\w-]{91}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect({ first: await whoIs(app, cookie), second: await whoIs(app, cookieOf(done)) }).toEqual({
      first: undefined,
      second: 'both@example.com',
    });
    nextStep();
    const again = await submit(app, '/login/second-factor', { ...form, code: await totp(secret) });
    expect({ status: again.statusCode, title: titleOf(again.body) }).toEqual({
      status: 400,
      title: 'Error: Sign in',
    });
    expect(describedBy(again.body, 'identifier')).toMatch(
      /^This sign-in took too long and expired\. Start again\./,
    );
  });

  it('must be entered within ten minutes', async () => {
    const { secret } = await enroll('slow@example.com');
    const due = await signIn(app, 'slow@example.com');
    offset += 10 * minute;
    const late = await submit(app, '/login/second-factor', {
      ...carriedBy(due.body, '/login/second-factor'),
      code: await totp(secret),
    });
    expect({
      status: late.statusCode,
      title: titleOf(late.body),
      sessionHeader: sessionHeader(late),
    }).toEqual({ status: 400, title: 'Error: Sign in', sessionHeader: '' });
  });

  it('may be a backup code, once', async () => {
    const {
      codes: [code = ''],
    } = await enroll('backup@example.com');
    const done = await signInWithBothFactors('backup@example.com', code.toLowerCase());
    expect({ status: done.statusCode, location: done.headers.location }).toEqual({
      status: 303,
      location: '/account',
    });
    expect((await get('/account', cookieOf(done))).body).toContain('Backup codes left: 9.');
    const again = await signInWithBothFactors('backup@example.com', code);
    expect({ status: again.statusCode, title: titleOf(again.body) }).toEqual({
      status: 400,
      title: 'Error: Two-factor authentication',
    });
  });

  it('is locked after ten wrong codes; the page says how long to wait', async () => {
    await enroll('guesser@example.com');
    const form = carriedBy((await signIn(app, 'guesser@example.com')).body, '/login/second-factor');
    for (let tries = 0; tries < 10; tries += 1)
      expect(
        (await submit(app, '/login/second-factor', { ...form, code: '000000' })).statusCode,
      ).toBe(400);
    const locked = await submit(app, '/login/second-factor', { ...form, code: '000000' });
    expect({ status: locked.statusCode, title: titleOf(locked.body) }).toEqual({
      status: 429,
      title: 'Error: Too many attempts',
    });
    expect(locked.body).toContain('Wait 15 minutes, then try again.');
  });

  it('can be changed only shortly after a sign-in with it; the page says why', async () => {
    const { cookie, secret, codes } = await enroll('changes@example.com');
    for (const url of ['/account/totp/remove', '/account/backup-codes']) {
      const weak = await post(url, cookie);
      expect({ status: weak.statusCode, location: weak.headers.location }).toEqual({
        status: 303,
        location: '/login?next=/account&reason=second_factor',
      });
    }
    expect((await get('/login?next=/account&reason=second_factor', cookie)).body).toContain(
      'Sign in with your second factor',
    );
    const strong = cookieOf(
      await signInWithBothFactors('changes@example.com', await totp(secret), '', cookie),
    );
    const renewed = await post('/account/backup-codes', strong);
    expect({
      status: renewed.statusCode,
      length: codesOn(renewed.body).length,
      some: codesOn(renewed.body).some((code) => codes.includes(code)),
    }).toEqual({ status: 200, length: 10, some: false });
    offset += 6 * minute;
    for (const url of ['/account/totp/remove', '/account/backup-codes', '/account/totp']) {
      const stale = await post(url, strong);
      expect({ status: stale.statusCode, location: stale.headers.location }).toEqual({
        status: 303,
        location: '/login?next=/account&reason=fresh',
      });
    }
    expect((await get('/login?next=/account&reason=fresh', strong)).body).toContain(
      'more than five minutes ago',
    );
    offset -= 6 * minute;
    expect((await post('/account/totp/remove', strong)).headers.location).toBe(
      '/account?done=totp_removed',
    );
    expect((await signIn(app, 'changes@example.com')).statusCode).toBe(303);
  });
});

describe('limits', () => {
  it('apply to forms too, with a page as the response', async () => {
    const limited = await freshApp({ env: { RATE_LIMIT: 'on' } });
    try {
      const answers = [];
      for (let at = 0; at < 31; at += 1)
        answers.push(await submit(limited, '/login', { identifier: 'nobody' }));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([
        ...Array.from({ length: 30 }, () => 422),
        429,
      ]);
      const [last] = answers.slice(-1);
      expect({
        title: titleOf(last?.body ?? ''),
        'content-type': last?.headers['content-type'],
        'cache-control': last?.headers['cache-control'],
      }).toEqual({
        title: 'Error: Too many attempts',
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(last?.body).toMatch(/Wait \d+ (seconds|minutes), then try again/);
    } finally {
      await limited.close();
    }
  });

  it('over HTTPS the session cookie is Secure', async () => {
    const secure = await freshApp({ env: { BASE_URL: 'https://app.example.com' } });
    try {
      await secure.services.queues.start();
      const from = { origin: 'https://app.example.com' };
      const sent = await submit(secure, '/login', { identifier: 'tls@example.com' }, from);
      const done = await submit(
        secure,
        '/login/code',
        { ...carriedBy(sent.body, '/login/code'), code: await codeFor(secure, 'tls@example.com') },
        from,
      );
      expect(sessionHeader(done)).toContain('; HttpOnly; Secure; SameSite=Lax');
    } finally {
      await secure.close();
    }
  });
});
