import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';
import {
  type Authenticator,
  createAuthenticator,
  type Twist,
} from '../../support/authenticator.ts';
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

type Headers = Record<string, string>;
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('people');
}, 30_000);

const site = 'http://localhost:3000';
const get = (url: string, headers: Headers = {}) => app.http.inject({ url, headers });
const scriptPolicy = new RegExp(
  "^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self';" +
    ".*frame-ancestors 'none'$",
);
const noScriptPolicy = /^default-src 'none'; style-src 'self';.*frame-ancestors 'none'$/;

/** Fetches the options from the URL in the form, as the script does. */
async function fetchOptions(
  page: string,
  action: string,
  body: object,
  headers: Headers,
): Promise<Record<string, unknown>> {
  const [, url = ''] =
    new RegExp(
      `<form method="post" action="${action}" class="passkey" [^>]*data-options="([^"]*)"`,
    ).exec(page) ?? [];
  const answer = await app.http.inject({
    method: 'POST',
    url,
    payload: JSON.stringify(body),
    headers: {
      'content-type': 'application/json',
      origin: site,
      host: 'localhost:3000',
      ...headers,
    },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** Adds a passkey as the script does; returns the response. */
async function addPasskey(
  cookie: Headers,
  key: Authenticator,
  { name = 'Blue key', twist = {} }: { name?: string; twist?: Twist } = {},
) {
  const options = await fetchOptions(
    (await get('/account', cookie)).body,
    '/account/passkeys',
    {},
    cookie,
  );
  return submit(
    app,
    '/account/passkeys',
    { credential: JSON.stringify(key.create(options, twist)), name },
    cookie,
  );
}

/** Creates a user with a passkey; returns also the response that added it. */
async function createPasskeyUser(email: string) {
  const cookie = cookieOf(await signIn(app, email));
  const key = createAuthenticator({ origin: site });
  return { cookie, key, answer: await addPasskey(cookie, key) };
}

/**
 * The hidden values of the form with the passkey, whose opening tag has more attributes than those
 * of other forms.
 */
const passkeyValues = (page: string) =>
  carriedBy(page.replace(/ class="passkey"[^>]*>/g, '>'), '/login/passkey');

/** Passes the second step with the passkey; returns the response. */
async function usePasskey(page: string, key: Authenticator, twist: Twist = {}) {
  const form = passkeyValues(page);
  const options = await fetchOptions(page, '/login/passkey', { mfa_token: form.mfa_token }, {});
  return submit(app, '/login/passkey', {
    ...form,
    credential: JSON.stringify(key.get(options, twist)),
  });
}

describe('passkeys on the account', () => {
  it('have a form that is hidden without scripts, with an explanation', async () => {
    const cookie = cookieOf(await signIn(app, 'offered@example.com'));
    const { body, headers } = await get('/account', cookie);
    expect(headers['content-security-policy']).toMatch(scriptPolicy);
    expect(body).toContain('<h3>Passkeys</h3>');
    expect(body).toContain(
      '<form method="post" action="/account/passkeys" class="passkey" data-passkey="create" ' +
        'data-options="/api/auth/2fa/passkeys/options" data-origin="http://localhost:3000" hidden>',
    );
    expect(body).toMatch(/<noscript><p>[^<]*JavaScript[^<]*<\/p><\/noscript>/);
    expect(body).toContain('<p class="error" role="alert"></p>');
  });

  it('use a same-origin script that browsers may cache', async () => {
    const cookie = cookieOf(await signIn(app, 'script@example.com'));
    const [, path = ''] =
      /<script type="module" src="([^"]*)"/.exec((await get('/account', cookie)).body) ?? [];
    const { statusCode, headers } = await get(path);
    expect({
      statusCode,
      'content-type': headers['content-type'],
      'cache-control': headers['cache-control'],
    }).toEqual({
      statusCode: 200,
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await get('/assets/passkeys.00000000.js')).statusCode).toBe(404);
  });

  it('show ten backup codes once for the first, end other sessions, and are listed', async () => {
    const elsewhere = cookieOf(await signIn(app, 'first-passkey@example.com'));
    const { cookie, answer } = await createPasskeyUser('first-passkey@example.com');
    expect({
      status: answer.statusCode,
      title: titleOf(answer.body),
      length: answer.body.match(/<li>[0-9A-Z-]{19}<\/li>/g)?.length,
    }).toEqual({ status: 200, title: 'Your backup codes', length: 10 });
    expect(answer.body).toContain('Passkey added.');
    expect(answer.headers['content-security-policy']).toMatch(noScriptPolicy);
    expect({ first: await whoIs(app, elsewhere), second: await whoIs(app, cookie) }).toEqual({
      first: undefined,
      second: 'first-passkey@example.com',
    });
    const account = (await get('/account', cookie)).body;
    expect(account).toMatch(/<p id="passkey-[0-9a-f-]{36}"><strong>Blue key</);
    expect(account).toMatch(/Added <time[^>]*>[^<]*<.time>\. Not used yet\./);
    expect(account).toContain('Backup codes left: 10.');
  });

  it('are refused without an effect when invalid', async () => {
    const cookie = cookieOf(await signIn(app, 'refused@example.com'));
    const other = cookieOf(await signIn(app, 'refused@example.com'));
    for (const answer of [
      await addPasskey(cookie, createAuthenticator({ origin: site }), {
        twist: { origin: 'https://evil.example' },
      }),
      await submit(app, '/account/passkeys', { credential: '{', name: '' }, cookie),
      await submit(app, '/account/passkeys', {}, cookie),
    ]) {
      expect({ status: answer.statusCode, location: answer.headers.location }).toEqual({
        status: 303,
        location: '/account?done=passkey_refused',
      });
    }
    expect((await get('/account?done=passkey_refused', cookie)).body).toMatch(
      /role="status">.*Your passkey wasn’t accepted/,
    );
    expect({
      whoIs: await whoIs(app, other),
      includesAddAPasskey: (await get('/account', cookie)).body.includes(
        'Add a passkey to use your device',
      ),
    }).toEqual({ whoIs: 'refused@example.com', includesAddAPasskey: true });
  });

  it('have escaped names; an invalid name is replaced by that of the browser', async () => {
    const cookie = cookieOf(await signIn(app, 'names@example.com'));
    await addPasskey(cookie, createAuthenticator({ origin: site }), { name: '<b>key</b>' });
    expect((await get('/account', cookie)).body).toContain(
      '<strong>&lt;b&gt;key&lt;/b&gt;</strong>',
    );
    const long = cookieOf(await signIn(app, 'long-name@example.com'));
    await addPasskey(long, createAuthenticator({ origin: site }), { name: 'x'.repeat(65) });
    expect((await get('/account', long)).body).toMatch(/<strong>lightMyRequest</);
  });

  it('need a sign-in with one to change them; those of others cannot be removed', async () => {
    const { cookie, key } = await createPasskeyUser('more@example.com');
    const stranger = await createPasskeyUser('more-stranger@example.com');
    const idIn = (page: string) => /<p id="passkey-([0-9a-f-]{36})">/.exec(page)?.[1] ?? '';
    const id = idIn((await get('/account', cookie)).body);
    const credential = JSON.stringify(
      createAuthenticator({ origin: site }).create({ challenge: 'A', rp: { id: 'localhost' } }),
    );
    for (const weak of [
      await submit(app, '/account/passkeys', { credential }, cookie),
      await submit(app, '/account/passkeys/remove', { id }, cookie),
      await submit(app, '/account/totp', {}, cookie),
    ]) {
      expect({ status: weak.statusCode, location: weak.headers.location }).toEqual({
        status: 303,
        location: '/login?next=/account&reason=second_factor',
      });
    }
    const strong = cookieOf(await usePasskey((await signIn(app, 'more@example.com')).body, key));
    const theirs = await submit(
      app,
      '/account/passkeys/remove',
      { id: idIn((await get('/account', stranger.cookie)).body) },
      strong,
    );
    expect({ status: theirs.statusCode, title: titleOf(theirs.body) }).toEqual({
      status: 404,
      title: 'Error: Not found',
    });
    expect(
      (await addPasskey(strong, createAuthenticator({ origin: site }), { name: 'Red key' })).headers
        .location,
    ).toBe('/account?done=passkey_added');
    expect((await get('/account', strong)).body).toMatch(
      /Blue key<.*Added .* Last used .*Red key<.*Added .* Not used yet/s,
    );
    expect((await submit(app, '/account/passkeys/remove', { id }, strong)).headers.location).toBe(
      '/account?done=passkey_removed',
    );
    expect((await get('/account', strong)).body).not.toContain('Blue key');
  });
});

describe('the second step of a sign-in', () => {
  it('offers the passkey beside a code, and opens the session', async () => {
    const { key } = await createPasskeyUser('step@example.com');
    const due = await signIn(app, 'step@example.com', { next: '/docs' });
    expect({
      title: titleOf(due.body),
      sessionHeader: sessionHeader(due),
      'cache-control': due.headers['cache-control'],
    }).toEqual({
      title: 'Two-factor authentication',
      sessionHeader: '',
      'cache-control': 'no-store',
    });
    expect(due.headers['content-security-policy']).toMatch(scriptPolicy);
    expect(due.body).toContain(
      '<form method="post" action="/login/passkey" class="passkey" data-passkey="get" ' +
        'data-options="/api/auth/2fa/passkeys/challenge" ' +
        'data-origin="http://localhost:3000" hidden>',
    );
    expect(due.body).toMatch(/<noscript><p>[^<]*JavaScript/);
    expect(describedBy(due.body, 'code')).toMatch(/^Enter one of the backup codes/);
    const done = await usePasskey(due.body, key);
    expect({
      status: done.statusCode,
      location: done.headers.location,
      whoIs: await whoIs(app, cookieOf(done)),
    }).toEqual({ status: 303, location: '/docs', whoIs: 'step@example.com' });
  });

  it('reports a refused passkey, and accepts it again or a code', async () => {
    const { key, answer } = await createPasskeyUser('again@example.com');
    const due = await signIn(app, 'again@example.com');
    const wrong = await usePasskey(due.body, key, { isForged: true });
    expect({
      status: wrong.statusCode,
      title: titleOf(wrong.body),
      sessionHeader: sessionHeader(wrong),
    }).toEqual({ status: 400, title: 'Error: Two-factor authentication', sessionHeader: '' });
    expect(wrong.headers['content-security-policy']).toMatch(scriptPolicy);
    expect(wrong.body).toContain(
      'role="alert">Your passkey wasn’t accepted. Try again, or use a code.',
    );
    expect(describedBy(wrong.body, 'code')).not.toContain('wrong');
    expect(passkeyValues(wrong.body)).toEqual(passkeyValues(due.body));
    const unreadable = await submit(app, '/login/passkey', {
      ...passkeyValues(wrong.body),
      credential: 'x',
    });
    expect({ status: unreadable.statusCode, title: titleOf(unreadable.body) }).toEqual({
      status: 400,
      title: 'Error: Two-factor authentication',
    });
    const [, code = ''] = /<li>([0-9A-Z-]{19})<\/li>/.exec(answer.body) ?? [];
    const wrongCode = await submit(app, '/login/second-factor', {
      ...carriedBy(wrong.body, '/login/second-factor'),
      code: '000000',
    });
    expect({
      status: wrongCode.statusCode,
      includesUsePasskey: wrongCode.body.includes('Use passkey'),
    }).toEqual({ status: 400, includesUsePasskey: true });
    const done = await submit(app, '/login/second-factor', {
      ...carriedBy(wrong.body, '/login/second-factor'),
      code,
    });
    expect(done.statusCode).toBe(303);
    const late = await submit(app, '/login/passkey', {
      ...passkeyValues(wrong.body),
      mfa_token: 'svcm_x',
      credential: JSON.stringify(key.get({ challenge: 'A', rpId: 'localhost' })),
    });
    expect({ status: late.statusCode, title: titleOf(late.body) }).toEqual({
      status: 400,
      title: 'Error: Sign in',
    });
  });

  it('has no script without a passkey, and refuses forms from other sites', async () => {
    const cookie = cookieOf(await signIn(app, 'no-passkey@example.com'));
    expect((await get('/login?reason=fresh', cookie)).body).not.toContain('<script');
    const foreign = await submit(
      app,
      '/login/passkey',
      { mfa_token: 'svcm_x', credential: '' },
      { origin: 'https://evil.example' },
    );
    expect({ status: foreign.statusCode, title: titleOf(foreign.body) }).toEqual({
      status: 403,
      title: 'Error: Not allowed',
    });
  });
});
