import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { notThe } from '../../support/abuse.ts';
import { freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { redirectTo, saying } from '../../support/responses.ts';
import { openCookie } from '../../support/sign-in.ts';
import {
  hiddenFieldsOf,
  clientAfter,
  codeIn,
  describedBy,
  origin,
  sessionHeader,
  signIn,
  titled,
  whoIs,
} from './support.ts';

const app = await sharedApp();
const client = new TestClient(app);

const sessions = async () => (await app.stores.redis.keys('auth:{*')).length;
const enterCode = (values: Record<string, string>) => client.form('/login/code', values);

/** Requests a code; returns the hidden values of the page and the code. */
async function requestCode(identifier: string, next = '') {
  const after = client.outbox(identifier).length;
  const page = await client.form('/login', { identifier: ` ${identifier} `, next });
  const form = hiddenFieldsOf(page.text, '/login/code');
  return { page, form, code: await codeIn(client, identifier, after) };
}

describe('the sign-in page', () => {
  it.each(['/login', '/login/', '/signin', '/signin/', '/api/auth/cmyk', '/auth/cmyk/'])(
    '%s is one form without scripts, and is not cached',
    async (url) => {
      const page = await client.get(url);
      expect(page).toMatchObject(titled(200, 'Sign in'));
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        vary: 'cookie',
      });
      expect(page.headers['content-security-policy']).not.toMatch(/script-src/);
      expect(page.headers['content-security-policy']).toMatch(
        /^default-src 'none'; .*form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(page.text).toMatch(
        /<input (?=[^>]*autocomplete="username")[^>]*id="identifier" name="identifier"/,
      );
      expect(page.text).toContain('<html lang="en">');
      expect(page.text).not.toMatch(/<script|\son\w+=|\sstyle=|<style|company account/);
      expect(page.headers).not.toHaveProperty('set-cookie');
    },
  );

  it('has an immutable style sheet with a hash in its URL', async () => {
    const { text } = await client.get('/login');
    const [, path = ''] = /href="(\/assets\/pages\.[0-9A-Z]{8}\.css)"/.exec(text) ?? [];
    const sheet = await client.get(path);
    expect(sheet).toMatchObject(saying(200, 'light-dark('));
    expect(sheet.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await client.get('/assets/pages.00000000.css')).status).toBe(404);
  });

  it('redirects signed-in users at once, unless a new sign-in is required', async () => {
    const user = client.as((await openCookie(app, 'already@example.com')).headers);
    expect((await user.get('/login?next=/docs%3Fa')).headers.location).toBe('/docs?a');
    expect((await user.get('/signin')).headers.location).toBe('/account');
    expect(await user.get('/login?next=/account&reason=fresh')).toMatchObject(
      saying(200, 'confirm it’s you by signing in again'),
    );
    expect((await client.as({ cookie: 'svc_session=svcs_old' }).get('/login')).status).toBe(200);
  });
});

it('the sign-in page links to a configured identity provider, and keeps next', async () => {
  const company = await freshApp({
    env: {
      IDP_ISSUER: 'http://127.0.0.1:9/idp',
      IDP_CLIENT_ID: 'pages',
      IDP_CLIENT_SECRET: 'k3y-of-the-test-for-pages-0123456789',
    },
  });
  try {
    const { text } = await new TestClient(company).get('/login?next=%2Fdocs%3Fa%26b');
    expect(text).toContain('href="/api/auth/idp/start?next=%2Fdocs%3Fa%26b">');
    expect(text).toMatch(/<a [^>]*>(?:<svg.*?<\/svg>)?Continue with company account<\/a>/);
  } finally {
    await company.close();
  }
});

describe('signing in with a code', () => {
  it('accepts an email address, shows it masked, and redirects to next', async () => {
    const { page, form, code } = await requestCode('Ann@Example.com', '/docs?page=2#top');
    expect(page).toMatchObject(titled(200, 'Enter your code'));
    expect(page.text).toContain('a•••@example.com');
    expect(page.text).toMatch(
      /<input (?=[^>]*autocomplete="one-time-code")[^>]*id="code" [^>]*inputmode="numeric"/,
    );
    expect(describedBy(page.text, 'code')).toContain('5 minutes');
    const done = await enterCode({ ...form, code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(done).toMatchObject(redirectTo('/docs?page=2#top'));
    expect(done.headers['cache-control']).toBe('no-store');
    expect(await whoIs(clientAfter(app, done))).toBe('Ann@Example.com');
  });

  it('accepts a phone number, and redirects to the account by default', async () => {
    const { page, form, code } = await requestCode('+14155550132');
    expect(page.text).toContain('+1•••••0132');
    const done = await enterCode({ ...form, code });
    expect(done).toMatchObject(redirectTo('/account'));
    expect(await clientAfter(app, done).get('/account')).toMatchObject(saying(200, '+14155550132'));
  });

  it('sets a cookie that is host-only, hidden from scripts, and always new', async () => {
    const cookie = sessionHeader(await signIn(client, 'flags@example.com'));
    expect(cookie).toMatch(
      /^svc_session=svcs_[\w-]{91}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect(cookie).not.toMatch(/Domain|Secure/);
    expect(sessionHeader(await signIn(client, 'flags@example.com'))).not.toBe(cookie);
  });

  it('makes an earlier cookie, real or made up, invalid', async () => {
    const attacker = client.as((await openCookie(app, 'attacker@example.com')).headers);
    const victim = await signIn(attacker, 'victim@example.com');
    expect(await whoIs(attacker)).toBeUndefined();
    expect(await whoIs(clientAfter(app, victim))).toBe('victim@example.com');
    const madeUp = client.as({ cookie: 'svc_session=attacker' });
    const other = await signIn(madeUp, 'victim@example.com');
    expect(sessionHeader(other)).not.toContain('svc_session=attacker');
    expect(await whoIs(madeUp)).toBeUndefined();
    expect(await whoIs(clientAfter(app, other))).toBe('victim@example.com');
  });
});

describe('a sign-in with errors', () => {
  it.each(['', 'nonsense', 'a@', '12', '@', '+1 (415'])(
    'refuses an identifier like %j beside its field',
    async (identifier) => {
      const refused = await client.form('/login', { identifier, next: '/docs' });
      expect(refused).toMatchObject(titled(422, 'Error: Sign in'));
      expect(describedBy(refused.text, 'identifier')).toMatch(
        /^Enter an email address .* \| We’ll send you a code/,
      );
      expect(refused.text).toContain('aria-invalid="true"');
      expect(hiddenFieldsOf(refused.text, '/login')).toEqual({ next: '/docs' });
    },
  );

  it('reports a wrong code beside its field; the right one still works', async () => {
    const { form, code } = await requestCode('wrong@example.com', '/docs');
    for (const [wrong, status, error] of [
      [notThe(code), 400, 'This code is wrong'],
      ['', 422, 'This code is incomplete'],
      ['12', 422, 'This code is incomplete'],
    ] as const) {
      const refused = await enterCode({ ...form, code: wrong });
      expect(refused).toMatchObject(titled(status, 'Error: Enter your code'));
      expect(refused.headers['cache-control']).toBe('no-store');
      expect(describedBy(refused.text, 'code')).toContain(error);
      expect(hiddenFieldsOf(refused.text, '/login/code')).toEqual(form);
      expect(refused.text).toContain('w•••@example.com');
    }
    const grouped = `\u202a${code.slice(0, 3)} ${code.slice(3)}\u202c`;
    expect((await enterCode({ ...form, code: grouped })).status).toBe(303);
    expect((await enterCode({ ...form, code })).status).toBe(400);
  });

  it('leads after too many wrong codes to a page that says how long to wait', async () => {
    const identifier = 'locked@example.com';
    let last = await client.form('/login', { identifier });
    for (let tries = 0; last.status !== 429 && tries < 15; tries += 1) {
      if (tries % 5 === 0) last = await client.form('/login', { identifier });
      const { verification_id = '' } = hiddenFieldsOf(last.text, '/login/code');
      last = await enterCode({ identifier, verification_id, code: '000000' });
    }
    expect(last).toMatchObject(titled(429, 'Error: Too many attempts'));
    expect(last.text).toContain('Wait 15 minutes, then try again.');
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(800);
    expect(last.headers['content-security-policy']).toContain("style-src 'self'");
    expect((await client.form('/login', { identifier })).status).toBe(429);
  });

  it('replaces the previous code by a new one; at the limit the newest still works', async () => {
    const identifier = 'again@example.com';
    const first = await requestCode(identifier);
    const second = await client.form('/login', hiddenFieldsOf(first.page.text, '/login'));
    const code = await codeIn(client, identifier, 1);
    const form = hiddenFieldsOf(second.text, '/login/code');
    if (code !== first.code)
      expect((await enterCode({ ...form, code: first.code })).status).toBe(400);
    await client.form('/login', { identifier });
    const refused = await client.form('/login', form);
    expect(refused).toMatchObject(titled(429, 'Error: Enter your code'));
    expect(refused.text).toMatch(
      /role="alert">.*Too many codes requested\. Wait \d+ (seconds|minutes)/,
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const newest = await codeIn(client, identifier, 2);
    expect((await enterCode({ ...form, code: newest })).status).toBe(303);
    const begun = await client.form('/login', { identifier });
    expect(begun).toMatchObject(titled(429, 'Error: Sign in'));
    expect(describedBy(begun.text, 'identifier')).toContain('Too many codes requested');
  });

  it.each([
    ['/login/code', {}],
    ['/login/second-factor', {}],
    ['/login', { identifier: 'x'.repeat(2000) }],
  ])('answers a manipulated form at %s with an error page', async (url, values) => {
    const refused = await client.form(url, values);
    expect(refused).toMatchObject(titled(422, 'Error: Check what you entered'));
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('refuses a field that is sent twice, and a body that is not a form', async () => {
    const twice = await client.form('/login', { identifier: ['a', 'b'] });
    expect(twice.status).toBe(422);
    const asText = { headers: { 'content-type': 'text/plain' } };
    expect((await client.form('/login', { identifier: 'a@b.example' }, asText)).status).toBe(415);
  });

  it('gives a disabled user an error page and no session', async () => {
    const { userId } = await openCookie(app, 'out@example.com');
    await app.services.users.setDisabled(userId, true);
    const refused = await signIn(client, 'out@example.com');
    expect(refused).toMatchObject(titled(403, 'Error: You don’t have access'));
    expect(sessionHeader(refused)).toBe('');
    expect(refused.text).toContain('This account is suspended.');
  });
});

describe('an attack on the sign-in', () => {
  const evil = '"><script>alert(1)</script>';
  const inUrl = encodeURIComponent(evil);
  const codeForm = { identifier: 'xss@example.com', verification_id: evil, code: evil };

  it.each([
    ['/login', { identifier: evil, next: evil }],
    ['/login/code', { ...codeForm, next: `/${evil}` }],
    ['/login/second-factor', { mfa_token: evil, code: evil, next: evil }],
    ['/login', { identifier: `${evil}@example.com`, next: `/docs?q=${evil}` }],
    [`/login?next=${encodeURIComponent('/docs?q=')}${inUrl}&reason=${inUrl}&done=${inUrl}`, {}],
  ])(
    'with markup in a value at %s sees it escaped',
    async (url, values: Record<string, string>) => {
      const isPage = url.includes('?');
      const { headers, text } = isPage ? await client.get(url) : await client.form(url, values);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(text).not.toContain('<script');
      expect(text).not.toMatch(/value="[^"]*"[^ >]/);
    },
  );

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
  ])('with next=%j is redirected to the home page', async (next) => {
    const page = await client.get(`/login?next=${encodeURIComponent(next)}`);
    expect(hiddenFieldsOf(page.text, '/login')).toEqual({ next: '/' });
    const name = Buffer.from(next).toString('hex').slice(0, 40);
    const { form, code } = await requestCode(`next-${name}@example.com`);
    expect(await enterCode({ ...form, code, next })).toMatchObject(redirectTo('/'));
  });

  it('from another site signs in no visitor, with or without an origin', async () => {
    const { form, code } = await requestCode('csrf@example.com');
    const before = await sessions();
    // Not by `client.form`, which adds the headers of a page of the service.
    const send = (url: string, values: Record<string, string>, headers: Record<string, string>) =>
      client.post(url, new URLSearchParams(values).toString(), {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ])
      for (const [url, values] of [
        ['/login', { identifier: 'csrf@example.com' }],
        ['/login/code', { ...form, code }],
        ['/login/second-factor', { mfa_token: 'x', code }],
      ] as const) {
        const refused = await send(url, values, { accept: 'text/html', ...headers });
        expect(refused).toMatchObject(titled(403, 'Error: You don’t have access'));
        expect(refused.headers).not.toHaveProperty('set-cookie');
        expect(refused.text).toContain('sent from another site');
      }
    for (const site of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ] as Record<string, string>[])
      expect((await send('/login/code', { ...form, code }, site)).status).toBe(403);
    expect(await sessions()).toBe(before);
    expect(client.outbox('csrf@example.com')).toHaveLength(1);
    const own = await send('/login/code', { ...form, code }, { origin });
    expect(own.status).toBe(303);
  });

  it('finds no codes, cookies or input in the log', async () => {
    const { form, code } = await requestCode('silent@example.com');
    const cookie = /svcs_[\w-]+/.exec(sessionHeader(await enterCode({ ...form, code })))?.[0];
    for (const secret of [code, 'silent@example.com', form.verification_id ?? '?', cookie ?? '?'])
      expect(app.log()).not.toContain(secret);
  });
});
