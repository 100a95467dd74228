import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import {
  type Authenticator,
  createAuthenticator,
  type Twist,
} from '../../support/authenticator.ts';
import { TestClient } from '../../support/client.ts';
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

const app = await sharedApp('people');
const client = new TestClient(app);

const site = 'http://localhost:3000';
const newKey = () => createAuthenticator({ origin: site });
const accountOf = async (person: TestClient) => (await person.get('/account/security')).text;
const scriptPolicy = new RegExp(
  "^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self';" +
    ".*frame-ancestors 'none'$",
);

/** Fetches the options from the URL in the form, as the script does. */
async function fetchOptions(person: TestClient, page: string, action: string, body: object) {
  const form = `<form method="post" action="${action}" class="passkey" [^>]*data-options="([^"]*)"`;
  const [, url = ''] = new RegExp(form).exec(page) ?? [];
  const headers = { origin: site, host: 'localhost:3000' };
  const options = await person.post(url, body, { headers });
  expect(options.status).toBe(200);
  return options.body;
}

/** Adds a passkey as the script does; returns the response. */
async function addPasskey(
  person: TestClient,
  key: Authenticator,
  { name = 'Blue key', twist = {} }: { name?: string; twist?: Twist } = {},
) {
  const options = await fetchOptions(person, await accountOf(person), '/account/passkeys', {});
  const credential = JSON.stringify(key.create(options, twist));
  return person.form('/account/passkeys', { credential, name });
}

/** Creates a user with a passkey; returns also the response that added it. */
async function createPasskeyUser(email: string) {
  const person = await signedIn(app, email);
  const key = newKey();
  return { person, key, answer: await addPasskey(person, key) };
}

/**
 * The hidden values of the form with the passkey, whose opening tag has more attributes than those
 * of other forms.
 */
const passkeyValues = (page: string) =>
  hiddenFieldsOf(page.replace(/ class="passkey"[^>]*>/g, '>'), '/login/passkey');

/** Passes the second step with the passkey; returns the response. */
async function usePasskey(page: string, key: Authenticator, twist: Twist = {}) {
  const form = passkeyValues(page);
  const { mfa_token: token } = form;
  const options = await fetchOptions(client, page, '/login/passkey', { mfa_token: token });
  const credential = JSON.stringify(key.get(options, twist));
  return client.form('/login/passkey', { ...form, credential });
}

describe('passkeys on the account', () => {
  it('have a form that is hidden without scripts, with an explanation', async () => {
    const person = await signedIn(app, 'offered@example.com');
    const { text, headers } = await person.get('/account/security');
    expect(headers['content-security-policy']).toMatch(scriptPolicy);
    expect(text).toContain('<h2 id="passkeys-title">Passkeys</h2>');
    expect(text).toContain(
      '<form method="post" action="/account/passkeys" class="passkey" data-passkey="create" ' +
        'data-options="/api/auth/2fa/passkeys/options" data-origin="http://localhost:3000" hidden>',
    );
    expect(text).toMatch(/<noscript><p>[^<]*JavaScript[^<]*<\/p><\/noscript>/);
    expect(text).toContain('<p class="error" role="alert"></p>');
  });

  it('use a same-origin script that browsers may cache', async () => {
    const page = await accountOf(await signedIn(app, 'script@example.com'));
    const [, path = ''] = /<script type="module" src="([^"]*)"/.exec(page) ?? [];
    expect(await client.get(path)).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    });
    expect((await client.get('/assets/passkeys.00000000.js')).status).toBe(404);
  });

  it('show ten backup codes once for the first, end other sessions, and are listed', async () => {
    const elsewhere = await signedIn(app, 'first-passkey@example.com');
    const { person, answer } = await createPasskeyUser('first-passkey@example.com');
    expect(answer).toMatchObject(titled(200, 'Your backup codes'));
    expect(answer.text.match(/<li>[0-9A-Z-]{19}<\/li>/g)).toHaveLength(10);
    expect(answer.text).toContain('Passkey added.');
    expect(answer.headers['content-security-policy']).toMatch(scriptPolicy);
    expect(await whoIs(elsewhere)).toBeUndefined();
    expect(await whoIs(person)).toBe('first-passkey@example.com');
    const account = await accountOf(person);
    expect(account).toMatch(/<p id="passkey-[0-9a-f-]{36}"><strong>Blue key</);
    expect(account).toMatch(/Added <time[^>]*>[^<]*<.time>\. Not used yet\./);
    expect(account).toContain('Backup codes left: 10.');
  });

  it('are refused without an effect when invalid', async () => {
    const person = await signedIn(app, 'refused@example.com');
    const other = await signedIn(app, 'refused@example.com');
    const twist = { origin: 'https://evil.example' };
    for (const answer of [
      await addPasskey(person, newKey(), { twist }),
      await person.form('/account/passkeys', { credential: '{', name: '' }),
      await person.form('/account/passkeys', {}),
    ])
      expect(answer).toMatchObject(redirectTo('/account/security?done=passkey_refused'));
    expect((await person.get('/account/security?done=passkey_refused')).text).toMatch(
      /role="status">.*Your passkey wasn’t accepted/,
    );
    expect(await whoIs(other)).toBe('refused@example.com');
    expect(await accountOf(person)).toContain('Add a passkey to use your device');
  });

  it('have escaped names; an invalid name is replaced by that of the browser', async () => {
    const person = await signedIn(app, 'names@example.com');
    await addPasskey(person, newKey(), { name: '<b>key</b>' });
    expect(await accountOf(person)).toContain('<strong>&lt;b&gt;key&lt;/b&gt;</strong>');
    const long = await signedIn(app, 'long-name@example.com');
    await addPasskey(long, newKey(), { name: 'x'.repeat(65) });
    expect(await accountOf(long)).toMatch(/<strong>lightMyRequest</);
  });

  it('need a sign-in with one to change them; those of others cannot be removed', async () => {
    const { person, key } = await createPasskeyUser('more@example.com');
    const stranger = await createPasskeyUser('more-stranger@example.com');
    const idOf = async (owner: TestClient) =>
      /<p id="passkey-([0-9a-f-]{36})">/.exec(await accountOf(owner))?.[1] ?? '';
    const id = await idOf(person);
    const credential = JSON.stringify(newKey().create({ challenge: 'A', rp: { id: 'localhost' } }));
    for (const weak of [
      await person.form('/account/passkeys', { credential }),
      await person.form('/account/passkeys/remove', { id }),
      await person.form('/account/totp', {}),
    ])
      expect(weak).toMatchObject(redirectTo('/login?next=/account/security&reason=second_factor'));
    const due = await signIn(client, 'more@example.com');
    const strong = clientAfter(app, await usePasskey(due.text, key));
    const theirs = { id: await idOf(stranger.person) };
    expect(await strong.form('/account/passkeys/remove', theirs)).toMatchObject(
      titled(404, 'Error: Not found'),
    );
    expect(await addPasskey(strong, newKey(), { name: 'Red key' })).toMatchObject(
      redirectTo('/account/security?done=passkey_added'),
    );
    expect(await accountOf(strong)).toMatch(
      /Blue key<.*Added .* Last used .*Red key<.*Added .* Not used yet/s,
    );
    expect(await strong.form('/account/passkeys/remove', { id })).toMatchObject(
      redirectTo('/account/security?done=passkey_removed'),
    );
    expect(await accountOf(strong)).not.toContain('Blue key');
  });
});

describe('the second step of a sign-in', () => {
  it('offers the passkey beside a code, and opens the session', async () => {
    const { key } = await createPasskeyUser('step@example.com');
    const due = await signIn(client, 'step@example.com', '/docs');
    expect(due).toMatchObject(titled(200, 'Two-factor authentication'));
    expect(sessionHeader(due)).toBe('');
    expect(due.headers['cache-control']).toBe('no-store');
    expect(due.headers['content-security-policy']).toMatch(scriptPolicy);
    expect(due.text).toContain(
      '<form method="post" action="/login/passkey" class="passkey" data-passkey="get" ' +
        'data-options="/api/auth/2fa/passkeys/challenge" ' +
        'data-origin="http://localhost:3000" hidden>',
    );
    expect(due.text).toMatch(/<noscript><p>[^<]*JavaScript/);
    expect(describedBy(due.text, 'code')).toMatch(/^Enter one of the backup codes/);
    const done = await usePasskey(due.text, key);
    expect(done).toMatchObject(redirectTo('/docs'));
    expect(await whoIs(clientAfter(app, done))).toBe('step@example.com');
  });

  it('reports a refused passkey, and accepts it again or a code', async () => {
    const { key, answer } = await createPasskeyUser('again@example.com');
    const due = await signIn(client, 'again@example.com');
    const wrong = await usePasskey(due.text, key, { isForged: true });
    expect(wrong).toMatchObject(titled(400, 'Error: Two-factor authentication'));
    expect(sessionHeader(wrong)).toBe('');
    expect(wrong.headers['content-security-policy']).toMatch(scriptPolicy);
    expect(wrong.text).toContain(
      'role="alert">Your passkey wasn’t accepted. Try again, or use a code.',
    );
    expect(describedBy(wrong.text, 'code')).not.toContain('wrong');
    const values = passkeyValues(wrong.text);
    expect(values).toEqual(passkeyValues(due.text));
    expect(await client.form('/login/passkey', { ...values, credential: 'x' })).toMatchObject(
      titled(400, 'Error: Two-factor authentication'),
    );
    const [, code = ''] = /<li>([0-9A-Z-]{19})<\/li>/.exec(answer.text) ?? [];
    const codeForm = hiddenFieldsOf(wrong.text, '/login/second-factor');
    expect(
      await client.form('/login/second-factor', { ...codeForm, code: '000000' }),
    ).toMatchObject(saying(400, 'Use passkey'));
    expect((await client.form('/login/second-factor', { ...codeForm, code })).status).toBe(303);
    const credential = JSON.stringify(key.get({ challenge: 'A', rpId: 'localhost' }));
    const late = { ...values, mfa_token: 'svcm_x', credential };
    expect(await client.form('/login/passkey', late)).toMatchObject(titled(400, 'Error: Sign in'));
  });

  it('has no script without a passkey, and refuses forms from other sites', async () => {
    const person = await signedIn(app, 'no-passkey@example.com');
    expect((await person.get('/login?reason=fresh')).text).not.toContain('<script');
    const headers = { origin: 'https://evil.example' };
    const values = { mfa_token: 'svcm_x', credential: '' };
    expect(await client.form('/login/passkey', values, { headers })).toMatchObject(
      titled(403, 'Error: You don’t have access'),
    );
  });
});
