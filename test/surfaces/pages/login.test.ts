import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { notThe } from '../../support/abuse.ts';
import { freshApp, type TestApp } from '../../support/app.ts';
import { codeFor } from '../../support/sign-in.ts';
import {
  carriedBy,
  cookieOf,
  describedBy,
  origin,
  sessionHeader,
  signIn,
  submit,
  titleOf,
  whoIs,
} from './support.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
}, 30_000);

const get = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url, headers });
const sessions = async () => (await app.stores.redis.keys('auth:{*')).length;

/** Requests a code; returns the hidden values of the page and the code. */
async function requestCode(identifier: string, next = '') {
  const after = app.services.outbox.list(identifier).length;
  const page = await submit(app, '/login', { identifier: ` ${identifier} `, next });
  return {
    page,
    form: carriedBy(page.body, '/login/code'),
    code: await codeFor(app, identifier, { after }),
  };
}

describe('the sign-in page', () => {
  it.each(['/login', '/login/', '/signin', '/signin/', '/api/auth/cmyk', '/auth/cmyk/'])(
    '%s is one form without scripts, and is not cached',
    async (url) => {
      const { statusCode, headers, body } = await get(url);
      expect({ statusCode, title: titleOf(body), 'content-type': headers['content-type'] }).toEqual(
        { statusCode: 200, title: 'Sign in', 'content-type': 'text/html; charset=utf-8' },
      );
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        vary: 'cookie',
      });
      expect(headers['content-security-policy']).not.toMatch(/script-src/);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; .*form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(body).toMatch(
        /<input (?=[^>]*autocomplete="username")[^>]*id="identifier" name="identifier"/,
      );
      expect(body).toContain('<html lang="en">');
      expect(body).not.toMatch(/<script|\son\w+=|\sstyle=|<style|company account/);
      expect(headers).not.toHaveProperty('set-cookie');
    },
  );

  it('has an immutable style sheet with a hash in its URL', async () => {
    const path =
      /href="(\/assets\/pages\.[0-9A-Z]{8}\.css)"/.exec((await get('/login')).body)?.[1] ?? '';
    const { statusCode, headers, body } = await get(path);
    expect({
      statusCode,
      'content-type': headers['content-type'],
      'cache-control': headers['cache-control'],
    }).toEqual({
      statusCode: 200,
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(body).toContain('light-dark(');
    expect((await get('/assets/pages.00000000.css')).statusCode).toBe(404);
  });

  it('redirects signed-in users at once, unless a new sign-in is required', async () => {
    const cookie = cookieOf(await signIn(app, 'already@example.com'));
    expect((await get('/login?next=/docs%3Fa', cookie)).headers.location).toBe('/docs?a');
    expect((await get('/signin', cookie)).headers.location).toBe('/account');
    const again = await get('/login?next=/account&reason=fresh', cookie);
    expect({
      status: again.statusCode,
      includes: again.body.includes('sign in again, then retry'),
    }).toEqual({ status: 200, includes: true });
    expect((await get('/login', { cookie: 'svc_session=svcs_old' })).statusCode).toBe(200);
  });
});

it('links to a configured identity provider, and keeps next', async () => {
  const company = await freshApp({
    env: {
      IDP_ISSUER: 'http://127.0.0.1:9/idp',
      IDP_CLIENT_ID: 'pages',
      IDP_CLIENT_SECRET: 'k3y-of-the-test-for-pages-0123456789',
    },
  });
  try {
    const { body } = await company.http.inject('/login?next=%2Fdocs%3Fa%26b');
    expect(body).toContain('href="/api/auth/idp/start?next=%2Fdocs%3Fa%26b">');
    expect(body).toMatch(/<a [^>]*>(?:<svg.*?<\/svg>)?Continue with company account<\/a>/);
  } finally {
    await company.close();
  }
});

describe('signing in with a code', () => {
  it('accepts an email address, shows it masked, and redirects to next', async () => {
    const { page, form, code } = await requestCode('Ann@Example.com', '/docs?page=2#top');
    expect(titleOf(page.body)).toBe('Enter your code');
    expect(page.body).toContain('a•••@example.com');
    expect(page.body).toMatch(
      /<input (?=[^>]*autocomplete="one-time-code")[^>]*id="code" [^>]*inputmode="numeric"/,
    );
    expect(describedBy(page.body, 'code')).toContain('5 minutes');
    const done = await submit(app, '/login/code', {
      ...form,
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    });
    expect({
      status: done.statusCode,
      location: done.headers.location,
      'cache-control': done.headers['cache-control'],
    }).toEqual({ status: 303, location: '/docs?page=2#top', 'cache-control': 'no-store' });
    expect(await whoIs(app, cookieOf(done))).toBe('Ann@Example.com');
  });

  it('accepts a phone number, and redirects to the account by default', async () => {
    const { page, form, code } = await requestCode('+14155550132');
    expect(page.body).toContain('+1•••••0132');
    const done = await submit(app, '/login/code', { ...form, code });
    expect({ status: done.statusCode, location: done.headers.location }).toEqual({
      status: 303,
      location: '/account',
    });
    expect((await get('/account', cookieOf(done))).body).toContain('<dd>+14155550132</dd>');
  });

  it('case 28 › the cookie is host-only, hidden from scripts, and always new', async () => {
    const cookie = sessionHeader(await signIn(app, 'flags@example.com'));
    expect(cookie).toMatch(
      /^svc_session=svcs_[\w-]{91}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect(cookie).not.toMatch(/Domain|Secure/);
    expect(sessionHeader(await signIn(app, 'flags@example.com'))).not.toBe(cookie);
  });

  it('case 27 › an earlier cookie, real or made up, is invalid afterwards', async () => {
    const attacker = cookieOf(await signIn(app, 'attacker@example.com'));
    const victim = await signIn(app, 'victim@example.com', { headers: attacker });
    expect({
      first: await whoIs(app, attacker),
      second: await whoIs(app, cookieOf(victim)),
    }).toEqual({ first: undefined, second: 'victim@example.com' });
    const madeUp = { cookie: 'svc_session=attacker' };
    const other = cookieOf(await signIn(app, 'victim@example.com', { headers: madeUp }));
    expect(other).not.toEqual(madeUp);
    expect({ first: await whoIs(app, madeUp), second: await whoIs(app, other) }).toEqual({
      first: undefined,
      second: 'victim@example.com',
    });
  });
});

describe('errors', () => {
  it.each(['', 'nonsense', 'a@', '12', '@', '+1 (415'])(
    'an identifier like %j is refused beside its field',
    async (identifier) => {
      const { statusCode, body } = await submit(app, '/login', { identifier, next: '/docs' });
      expect({ statusCode, title: titleOf(body) }).toEqual({
        statusCode: 422,
        title: 'Error: Sign in',
      });
      expect(describedBy(body, 'identifier')).toMatch(
        /^Enter an email address .* \| We’ll send you a code/,
      );
      expect(body).toContain('aria-invalid="true"');
      expect(carriedBy(body, '/login')).toEqual({ next: '/docs' });
    },
  );

  it('a wrong code is reported beside its field; the right one still works', async () => {
    const { form, code } = await requestCode('wrong@example.com', '/docs');
    for (const wrong of [notThe(code), '', '12', 'letters', '<b>']) {
      const { statusCode, body, headers } = await submit(app, '/login/code', {
        ...form,
        code: wrong,
      });
      expect({
        statusCode,
        title: titleOf(body),
        'cache-control': headers['cache-control'],
      }).toEqual({ statusCode: 400, title: 'Error: Enter your code', 'cache-control': 'no-store' });
      expect(describedBy(body, 'code')).toMatch(/^This code is wrong/);
      expect(carriedBy(body, '/login/code')).toEqual(form);
      expect(body).toContain('w•••@example.com');
      if (wrong === '12') break;
    }
    expect((await submit(app, '/login/code', { ...form, code })).statusCode).toBe(303);
    expect((await submit(app, '/login/code', { ...form, code })).statusCode).toBe(400);
  });

  it('too many wrong codes lead to a page that says how long to wait', async () => {
    const email = 'locked@example.com';
    let last = await submit(app, '/login', { identifier: email });
    for (let tries = 0; last.statusCode !== 429 && tries < 15; tries += 1) {
      if (tries % 5 === 0) last = await submit(app, '/login', { identifier: email });
      last = await submit(app, '/login/code', {
        identifier: email,
        verification_id: carriedBy(last.body, '/login/code').verification_id ?? '',
        code: 'xxxxxx',
      });
    }
    expect({ status: last.statusCode, title: titleOf(last.body) }).toEqual({
      status: 429,
      title: 'Error: Too many attempts',
    });
    expect(last.body).toContain('Wait 15 minutes, then try again.');
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(800);
    expect(last.headers['content-security-policy']).toContain("style-src 'self'");
    expect((await submit(app, '/login', { identifier: email })).statusCode).toBe(429);
  });

  it('a new code replaces the previous one; at the limit the newest still works', async () => {
    const email = 'again@example.com';
    const first = await requestCode(email);
    const second = await submit(app, '/login', carriedBy(first.page.body, '/login'));
    const code = await codeFor(app, email, { after: 1 });
    const form = carriedBy(second.body, '/login/code');
    if (code !== first.code)
      expect((await submit(app, '/login/code', { ...form, code: first.code })).statusCode).toBe(
        400,
      );
    await submit(app, '/login', { identifier: email });
    const refused = await submit(app, '/login', form);
    expect({ status: refused.statusCode, title: titleOf(refused.body) }).toEqual({
      status: 429,
      title: 'Error: Enter your code',
    });
    expect(refused.body).toMatch(
      /role="alert">.*Too many codes requested\. Wait \d+ (seconds|minutes)/,
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(
      (await submit(app, '/login/code', { ...form, code: await codeFor(app, email, { after: 2 }) }))
        .statusCode,
    ).toBe(303);
    const begun = await submit(app, '/login', { identifier: email });
    expect({ status: begun.statusCode, title: titleOf(begun.body) }).toEqual({
      status: 429,
      title: 'Error: Sign in',
    });
    expect(describedBy(begun.body, 'identifier')).toContain('Too many codes requested');
  });

  it('a manipulated form gets an error page', async () => {
    for (const [url, values] of [
      ['/login/code', {}],
      ['/login/second-factor', {}],
      ['/login', { identifier: 'x'.repeat(2000) }],
    ] as const) {
      const { statusCode, headers, body } = await submit(app, url, values);
      expect({ statusCode, title: titleOf(body), 'content-type': headers['content-type'] }).toEqual(
        {
          statusCode: 422,
          title: 'Error: Form not accepted',
          'content-type': 'text/html; charset=utf-8',
        },
      );
    }
    const twice = await app.http.inject({
      method: 'POST',
      url: '/login',
      payload: 'identifier=a&identifier=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    });
    expect(twice.statusCode).toBe(422);
    const text = await app.http.inject({
      method: 'POST',
      url: '/login',
      payload: 'identifier=a@example.com',
      headers: { 'content-type': 'text/plain', origin },
    });
    expect(text.statusCode).toBe(415);
  });

  it('a disabled user gets an error page and no session', async () => {
    const first = await signIn(app, 'out@example.com');
    const { userId } = (await app.services.sessions.find(
      /svc_session=([^;]*)/.exec(sessionHeader(first))?.[1] ?? '',
      'cookie',
    )) ?? { userId: '' };
    await app.services.users.setDisabled(userId, true);
    const refused = await signIn(app, 'out@example.com');
    expect({
      status: refused.statusCode,
      title: titleOf(refused.body),
      sessionHeader: sessionHeader(refused),
    }).toEqual({ status: 403, title: 'Error: Not allowed', sessionHeader: '' });
    expect(refused.body).toContain('This account is disabled.');
  });
});

describe('attacks', () => {
  const evil = '"><script>alert(1)</script>';

  it('markup in any value is escaped', async () => {
    for (const answer of [
      await submit(app, '/login', { identifier: evil, next: evil }),
      await submit(app, '/login/code', {
        identifier: 'xss@example.com',
        verification_id: evil,
        code: evil,
        next: `/${evil}`,
      }),
      await submit(app, '/login/second-factor', { mfa_token: evil, code: evil, next: evil }),
      await submit(app, '/login', { identifier: `${evil}@example.com`, next: `/docs?q=${evil}` }),
      await get(
        `/login?next=${encodeURIComponent(
          `/docs?q=${evil}`,
        )}&reason=${encodeURIComponent(evil)}&done=${encodeURIComponent(evil)}`,
      ),
    ]) {
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.body).not.toContain('<script');
      expect(answer.body).not.toMatch(/value="[^"]*"[^ >]/);
    }
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/%09/evil.example',
    ' /evil',
    '/a//evil.example',
    '\\\\evil.example',
    '/..//evil.example',
    '/x@evil.example',
    '/a\r\nset-cookie: a=b',
    `/${'a'.repeat(5000)}`,
  ])('next %j redirects to the home page', async (next) => {
    const page = await get(`/login?next=${encodeURIComponent(next)}`);
    expect(carriedBy(page.body, '/login')).toEqual({ next: '/' });
    const { form, code } = await requestCode(
      `next-${Buffer.from(next).toString('hex').slice(0, 40)}@example.com`,
    );
    expect((await submit(app, '/login/code', { ...form, code, next })).headers.location).toBe('/');
  });

  it('a page of another site cannot sign in a visitor, with or without a cookie', async () => {
    const { form, code } = await requestCode('csrf@example.com');
    const before = await sessions();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ];
    for (const headers of foreign) {
      for (const [url, values] of [
        ['/login', { identifier: 'csrf@example.com' }],
        ['/login/code', { ...form, code }],
        ['/login/second-factor', { mfa_token: 'x', code }],
      ] as const) {
        const { statusCode, body, headers: answered } = await submit(app, url, values, headers);
        expect({ statusCode, title: titleOf(body), 'set-cookie': answered['set-cookie'] }).toEqual({
          statusCode: 403,
          title: 'Error: Not allowed',
          'set-cookie': undefined,
        });
        expect(body).toContain('sent from another site');
      }
    }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ] as Record<string, string>[]) {
      const payload = new URLSearchParams({ ...form, code }).toString();
      const refused = await app.http.inject({
        method: 'POST',
        url: '/login/code',
        payload,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
      expect(refused.statusCode).toBe(403);
    }
    expect(await sessions()).toBe(before);
    expect(app.services.outbox.list('csrf@example.com')).toHaveLength(1);
    expect((await submit(app, '/login/code', { ...form, code })).statusCode).toBe(303);
  });

  it('codes, cookies and input are not logged', async () => {
    const { form, code } = await requestCode('silent@example.com');
    const done = await submit(app, '/login/code', { ...form, code });
    for (const secret of [
      code,
      'silent@example.com',
      form.verification_id ?? '?',
      cookieOf(done).cookie?.slice(12) ?? '?',
    ])
      expect(app.log()).not.toContain(secret);
  });
});
