import { generate } from 'otplib';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { codeFor } from '../../support/sign-in.ts';
import { it } from '../../support/test.ts';
import { type Person, personOf } from './pages.ts';

const times = { ahead: 0 };
const now = () => Date.now() + times.ahead;
const app = await sharedApp('console', { clock: { now } });
const old = 31 * 60_000;

/** What browsers send with the requests of our own pages. */
const own = { headers: { origin: app.services.baseOrigin, 'sec-fetch-site': 'same-origin' } };
const keyNames = async () =>
  (await app.services.apiKeys.list({ limit: 10 })).data.map(({ name }) => name);
const addKey = (person: Person, name: string) =>
  person.form('keys', { name, 'scope.admin': 'yes' });
const idIn = (html: string): string =>
  /name="verification_id" value="([^"]+)"/.exec(html)?.[1] ?? '';

/** Asks for a code to confirm. Returns it with its id. */
async function ask(person: Person, email: string) {
  const after = app.services.outbox.list(email).length;
  const { status, text } = await person.form('confirm');
  expect(status).toBe(200);
  expect(text).toContain(`Enter the code we sent to ${email}.`);
  return { code: await codeFor(app, email, { after }), verification_id: idIn(text) };
}

describe('a sign-in of the console that is too old', () => {
  it('counts for 30 minutes, and for five everywhere else', async () => {
    const admin = await personOf(app, 'ann@example.com', ['admin']);
    times.ahead += 29 * 60_000;
    expect((await addKey(admin, 'Within 30 minutes')).status).toBe(200);
    const refused = await admin.program.post(
      '/api/v1/api-keys',
      { name: 'x', scopes: ['admin'] },
      own,
    );
    expect(refused).toMatchObject({ status: 401, body: { code: 'auth.step_up_required' } });
    times.ahead += 2 * 60_000;
    expect((await addKey(admin, 'Later')).headers.location).toContain('reason=fresh');
    expect(await keyNames()).toEqual(['Within 30 minutes']);
  });

  it('is recent again with a code to the own address, in the same session', async () => {
    const admin = await personOf(app, 'bea@example.com', ['admin']);
    times.ahead += old;
    expect((await addKey(admin, 'Too early')).status).toBe(303);
    const { code, ...sent } = await ask(admin, 'bea@example.com');
    const wrong = await admin.form('confirm/code', { ...sent, code: '000000' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/id="confirm-code"[^>]* aria-invalid="true"/);
    expect(wrong.text).toContain('This code is wrong or has expired.');
    expect((await addKey(admin, 'Too early')).status).toBe(303);
    expect((await admin.form('confirm/code', { ...sent, code })).status).toBe(303);
    expect((await addKey(admin, 'Confirmed')).status).toBe(200);
    expect((await app.services.sessions.list(admin.userId)).length).toBe(2);
    expect(await keyNames()).not.toContain('Too early');
    const again = await admin.form('confirm/code', { ...sent, code });
    expect(again.status).toBe(422);
  });

  it('is confirmed by no code of another session, and its code signs nobody in', async () => {
    const email = 'cid@example.com';
    const first = await personOf(app, email, ['admin']);
    const second = await personOf(app, email, ['admin']);
    times.ahead += old;
    const sent = await ask(first, email);
    expect((await second.form('confirm/code', sent)).status).toBe(422);
    expect((await addKey(second, 'Elsewhere')).status).toBe(303);
    const signIn = await first.program.post('/api/auth/otp/verify', { email, code: sent.code });
    expect(signIn).toMatchObject({ status: 400, body: { code: 'otp.invalid' } });
    expect(await keyNames()).not.toContain('Elsewhere');
  });

  it('takes no code after too many wrong ones, not even the right one', async () => {
    const email = 'dan@example.com';
    const admin = await personOf(app, email, ['admin']);
    times.ahead += old;
    const { code, ...sent } = await ask(admin, email);
    for (let at = 0; at < 10; at += 1)
      expect([422, 429]).toContain(
        (await admin.form('confirm/code', { ...sent, code: '000000' })).status,
      );
    expect([422, 429]).toContain((await admin.form('confirm/code', { ...sent, code })).status);
    expect((await addKey(admin, 'Guessed')).status).toBe(303);
  });

  it('asks for the second factor of those who have one, and takes no code by email', async () => {
    const email = 'eve@example.com';
    const admin = await personOf(app, email, ['admin']);
    const { body } = await admin.program.post('/api/auth/2fa/totp', {}, own);
    const secret = String(body.secret);
    const codeOfApp = () => generate({ secret, epoch: Math.floor(now() / 1000) });
    const confirmed = { code: await codeOfApp() };
    expect(await admin.program.post('/api/auth/2fa/totp/confirm', confirmed, own)).toMatchObject({
      status: 200,
    });
    times.ahead += old;
    const before = app.services.outbox.list(email).length;
    const { text } = await admin.form('confirm');
    expect(text).toContain('Enter the code from your authenticator app.');
    expect(app.services.outbox.list(email)).toHaveLength(before);
    expect((await admin.form('confirm/code', { code: '123456' })).status).toBe(422);
    expect((await admin.form('confirm/code', { code: await codeOfApp() })).status).toBe(303);
    expect((await addKey(admin, 'Two factors')).status).toBe(200);
    const [session] = await app.services.sessions.list(admin.userId);
    expect(session).toMatchObject({ acr: 'aal2' });
  });

  it('is confirmed by nobody without a session', async () => {
    const admin = await personOf(app, 'fay@example.com', ['admin']);
    const sent = await ask(admin, 'fay@example.com');
    await app.services.sessions.endAll(admin.userId);
    const { status, headers } = await admin.form('confirm/code', sent);
    expect({ status, to: String(headers.location) }).toMatchObject({ status: 303 });
    expect(String(headers.location)).toMatch(/^\/login\?/);
  });
});
