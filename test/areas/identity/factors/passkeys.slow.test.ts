import { describe, expect, onTestFinished } from 'vitest';
import { relyingPartyOf } from '../../../../src/areas/identity/factors/passkeys/relying-party.ts';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { freshApp } from '../../../support/app.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { verifiedEmail } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';
import {
  bearerOf,
  createPeople,
  handleOf,
  newAuthenticator,
  wrongPasskey as wrong,
} from './people.ts';

type Headers = Record<string, string>;
let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await sharedApp('people', { clock });

const people = createPeople(app, clock.now);
const { addPasskey, auth, challenge, enterCode, firstFactor, holder, newPerson } = people;
const { passkeyOptions, sessionsOf, signInWith, usePasskey, verifyPasskey } = people;

const remove = (id: string, headers: Headers) => auth(headers).delete(`/2fa/passkeys/${id}`);
const statusOf = async (headers: Headers) => (await auth(headers).get('/2fa/status')).body;
const passkeysOf = async (headers: Headers) => (await auth(headers).get('/2fa/passkeys')).body;
const meOf = async (headers: Headers) => (await auth(headers).get('/me')).body;
const askChallenge = (token: unknown) =>
  auth().post('/2fa/passkeys/challenge', { mfa_token: token });
const isChallenge = expect.stringMatching(/^[\w-]{43}$/) as string;
const idsOf = (credentials: unknown) => (credentials as { id: string }[]).map(({ id }) => id);

/** What was recorded about the factors of a user, newest first. */
async function audited(userId: string) {
  const { data } = await app.services.audit.list({ actor_id: userId, limit: 100 });
  return data
    .filter(({ action }) => action.startsWith('second_factor.'))
    .map(({ action, outcome, reason, details: { method } }) => ({
      action,
      outcome,
      reason,
      method,
    }));
}
const entry = (action: string, outcome = 'success', reason: string | null = null) => ({
  action: `second_factor.${action}`,
  outcome,
  reason,
  method: 'passkey',
});

/** A user with a passkey and an app, and a session that has used both factors. */
async function withBoth() {
  const person = await holder();
  const strong = bearerOf(await signInWith(person));
  const secret = await people.addApp(strong);
  offset += 30_000;
  return { ...person, secret, strong };
}

describe('a passkey', () => {
  it('is created without personal data, and is required from then on', async () => {
    const { bearer, email, userId } = await newPerson();
    const elsewhere = await newPerson(email);
    const options = await auth(bearer).post('/2fa/passkeys/options', {});
    expect(options).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        rp: { id: 'localhost', name: 'Platform Service' },
        user: { id: handleOf(userId), name: email },
        attestation: 'none',
        timeout: 300_000,
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        challenge: isChallenge,
      },
    });
    const added = await addPasskey(newAuthenticator().create(options.body), bearer, '  Blue key ');
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      id: expect.any(String) as string,
      name: 'Blue key',
      created_at: expect.any(String) as string,
      last_used_at: null,
      backed_up: false,
    });
    expect(await statusOf(bearer)).toMatchObject({
      enabled: true,
      totp_enabled: false,
      passkey_count: 1,
      methods: [{ type: 'passkey', verified: true, last_used_at: null }],
    });
    expect(await passkeysOf(bearer)).toEqual({ data: [added.body], total: 1 });
    expect(await auth(elsewhere.bearer).get('/me')).toMatchObject({ status: 401 });
    expect(await audited(userId)).toEqual([entry('enrolled')]);
  });

  it('case 45 › is required on every route and completes the sign-in', async () => {
    const { email, userId, key } = await holder();
    const before = await sessionsOf(userId);
    const due = await firstFactor(email);
    expect(due).toMatchObject({
      status: 'mfa_required',
      access_token: null,
      user: null,
      mfa_methods: ['passkey', 'backup_code'],
    });
    const cookie = await app.services.signIn.asCookie(verifiedEmail(email, clock.now(), 'fed'));
    expect(cookie).not.toHaveProperty('session');
    expect(await sessionsOf(userId)).toBe(before);

    const options = await challenge(due);
    expect(options).toEqual({
      challenge: isChallenge,
      timeout: 300_000,
      rpId: 'localhost',
      userVerification: 'preferred',
      allowCredentials: [{ type: 'public-key', id: key.credentialId, transports: ['usb'] }],
    });
    const done = await verifyPasskey(due, key.get(options, { userHandle: handleOf(userId) }));
    expect(done).toMatchObject({
      status: 200,
      body: { status: 'authenticated', mfa_required: false, user: { email } },
    });
    const strong = bearerOf(done);
    expect(await meOf(strong)).toMatchObject({ acr: 'aal2', amr: ['otp', 'hwk', 'mfa'] });
    expect((await passkeysOf(strong)).data).toMatchObject([
      { last_used_at: expect.any(String) as string },
    ]);
    expect((await audited(userId))[0]).toEqual(entry('verified'));
    expect(await verifyPasskey(due, key.get(options))).toMatchObject(wrong);
  });

  it.each([[null], ['']])(
    'completes the sign-in with the user handle %j, as browsers send it for a key that stores none',
    async (userHandle) => {
      const { email, key } = await holder();
      const due = await firstFactor(email);
      const { response, ...credential } = key.get(await challenge(due));
      const given = { ...credential, response: { ...(response as object), userHandle } };
      expect(await verifyPasskey(due, given)).toMatchObject({
        status: 200,
        body: { status: 'authenticated', user: { email } },
      });
    },
  );

  it('is `swk` when synced; authenticators without a counter are accepted', async () => {
    const person = await holder({ isBackedUp: true, countsUses: false });
    for (let time = 0; time < 3; time += 1) {
      const strong = bearerOf(await signInWith(person));
      expect(await meOf(strong)).toMatchObject({ acr: 'aal2', amr: ['otp', 'swk', 'mfa'] });
      expect(await passkeysOf(strong)).toMatchObject({ data: [{ backed_up: true }] });
    }
  });

  it.each<[string, unknown, string[]]>([
    [
      'unknown ones',
      ['cable', 'smart-card', 'ultra-wideband'],
      ['cable', 'smart-card', 'ultra-wideband'],
    ],
    ['an empty one', ['', 'internal'], ['internal']],
    ['names of another form', ['USB', 'a b', 'hybrid'], ['hybrid']],
    ['null', null, []],
  ])('is added with transports that are hints: %s', async (_what, transports, shown) => {
    const { email, bearer } = await newPerson();
    const key = newAuthenticator();
    const { response, ...credential } = key.create(await passkeyOptions(bearer));
    const given = { ...credential, response: { ...(response as object), transports } };
    expect(await addPasskey(given, bearer)).toMatchObject({ status: 201 });
    const options = await challenge(await firstFactor(email));
    expect(options.allowCredentials).toEqual([
      { type: 'public-key', id: key.credentialId, transports: shown },
    ]);
  });

  it('is named after the browser by default', async () => {
    const { bearer } = await newPerson();
    const added = await addPasskey(newAuthenticator().create(await passkeyOptions(bearer)), {
      ...bearer,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
    expect(added.body).toMatchObject({ name: 'Firefox on Linux' });
  });

  it('is removed after a fresh sign-in with it; without any, none is required', async () => {
    const person = await holder();
    const { email, bearer, userId, passkeyId } = person;
    expect(await remove(passkeyId, bearer)).toBeProblem(401, 'second_factor.aal2_required');
    const strong = bearerOf(await signInWith(person));
    offset += 6 * minuteMs;
    expect(await remove(passkeyId, strong)).toBeProblem(401, 'auth.step_up_required');
    offset -= 6 * minuteMs;
    const notFound = 'second_factor.passkey_not_found';
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await remove(unknown, strong)).toBeProblem(404, notFound);
    const stranger = await holder();
    expect(await remove(stranger.passkeyId, strong)).toBeProblem(404, notFound);
    expect(await passkeysOf(stranger.bearer)).toMatchObject({ total: 1 });
    expect(await remove('no-uuid', strong)).toMatchObject({ status: 422 });
    expect(await remove(passkeyId, strong)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await auth(bearer).get('/me')).toMatchObject({ status: 401 });
    expect(await sessionsOf(userId)).toBe(1);
    expect(await firstFactor(email)).toMatchObject({
      status: 'authenticated',
      mfa_required: false,
    });
    expect((await audited(userId))[0]).toMatchObject({
      action: 'second_factor.removed',
      method: 'passkey',
    });
  });

  it('is limited to twenty for each user, each once, and browsers get the list', async () => {
    const person = await holder();
    const strong = bearerOf(await signInWith(person));
    const second = newAuthenticator();
    const add = async (key = newAuthenticator()) =>
      addPasskey(key.create(await passkeyOptions(strong)), strong);
    expect(await add(second)).toMatchObject({ status: 201 });
    const { excludeCredentials } = await passkeyOptions(strong);
    expect(idsOf(excludeCredentials)).toEqual([person.key.credentialId, second.credentialId]);
    expect(await add(second)).toMatchObject(wrong);
    for (let count = 2; count < 20; count += 1) expect(await add()).toMatchObject({ status: 201 });
    const refused = await auth(strong).post('/2fa/passkeys/options', {});
    expect(refused).toBeProblem(409, 'second_factor.too_many_passkeys');
    expect(await statusOf(strong)).toMatchObject({ passkey_count: 20 });
  });
});

describe('creating a passkey', () => {
  it('is audited when it is refused, leaves nothing, and the challenge is used up', async () => {
    const { bearer, userId } = await newPerson();
    const options = await passkeyOptions(bearer);
    const key = newAuthenticator();
    const refused = await addPasskey(key.create(options, { isPresent: false }), bearer);
    expect(refused).toMatchObject(wrong);
    expect(await statusOf(bearer)).toMatchObject({ enabled: false, passkey_count: 0 });
    expect(await audited(userId)).toEqual([entry('failed', 'failure')]);
    expect(await addPasskey(key.create(options), bearer)).toMatchObject(wrong);
  });

  it('accepts self attestation, which browsers pass on', async () => {
    const { bearer } = await newPerson();
    const options = await passkeyOptions(bearer);
    const credential = newAuthenticator().create(options, { statement: 'self' });
    expect(await addPasskey(credential, bearer)).toMatchObject({ status: 201 });
  });

  it('works only with the newest challenge of the same session', async () => {
    const here = await newPerson();
    const elsewhere = await newPerson(here.email);
    const stranger = await newPerson();
    const add = (options: Record<string, unknown>, headers: Headers) =>
      addPasskey(newAuthenticator().create(options), headers);
    const options = await passkeyOptions(here.bearer);
    for (const { bearer } of [elsewhere, stranger]) {
      expect(await add(options, bearer)).toMatchObject(wrong);
      await passkeyOptions(bearer);
      expect(await add(options, bearer)).toMatchObject(wrong);
    }
    const newer = await passkeyOptions(here.bearer);
    expect(await add(options, here.bearer)).toMatchObject(wrong);
    expect(await add(newer, here.bearer)).toMatchObject(wrong);
    const newest = await passkeyOptions(here.bearer);
    expect(await add(newest, here.bearer)).toMatchObject({ status: 201 });
  });

  it('needs a fresh sign-in, with the second factor if the user has one', async () => {
    expect(await auth().post('/2fa/passkeys/options', {})).toMatchObject({ status: 401 });
    const { bearer } = await holder();
    const options = { challenge: 'A', rp: { id: 'localhost' } };
    for (const refused of [
      await auth(bearer).post('/2fa/passkeys/options', {}),
      await addPasskey(newAuthenticator().create(options), bearer),
      await auth(bearer).post('/2fa/totp', {}),
      await auth(bearer).post('/backup-codes', {}),
    ])
      expect(refused).toBeProblem(401, 'second_factor.aal2_required');
    offset += 6 * minuteMs;
    const stale = await auth(bearer).post('/2fa/passkeys/options', {});
    expect(stale).toBeProblem(401, 'auth.step_up_required');
    offset -= 6 * minuteMs;
  });

  it('accepts only one of two concurrent first ones from different sessions', async () => {
    const one = await newPerson();
    const other = await newPerson(one.email);
    const made = [];
    for (const { bearer } of [one, other])
      made.push({ bearer, credential: newAuthenticator().create(await passkeyOptions(bearer)) });
    const responses = await Promise.all(
      made.map(({ bearer, credential }) => addPasskey(credential, bearer)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 401]);
    const rows = app.stores.db.selectFrom('passkeys').select('id');
    expect(await rows.where('user_id', '=', one.userId).execute()).toHaveLength(1);
  });

  it('refuses a credential of another user', async () => {
    const { key } = await holder();
    const { bearer } = await newPerson();
    const credential = key.create(await passkeyOptions(bearer));
    expect(await addPasskey(credential, bearer)).toMatchObject(wrong);
    expect(await statusOf(bearer)).toMatchObject({ enabled: false });
  });
});

describe('signing in with a passkey', () => {
  it('is audited when it is refused, and the challenge is used up', async () => {
    const { email, key, userId } = await holder();
    const before = await sessionsOf(userId);
    const due = await firstFactor(email);
    const options = await challenge(due);
    expect(await verifyPasskey(due, key.get(options, { isForged: true }))).toMatchObject(wrong);
    expect(await verifyPasskey(due, key.get(options))).toMatchObject(wrong);
    expect(await sessionsOf(userId)).toBe(before);
    expect((await audited(userId))[0]).toEqual(entry('failed', 'failure'));
    expect(await usePasskey(due, key)).toMatchObject({ status: 200 });
  });

  it('works only with the challenge of the same sign-in', async () => {
    const { email, key } = await holder();
    const one = await firstFactor(email);
    const other = await firstFactor(email);
    const options = await challenge(one);
    expect(await verifyPasskey(other, key.get(options))).toMatchObject(wrong);
    await challenge(other);
    expect(await verifyPasskey(other, key.get(options))).toMatchObject(wrong);
    expect(await verifyPasskey(one, key.get(options))).toMatchObject({ status: 200 });
    expect(await verifyPasskey(one, key.get(options))).toMatchObject(wrong);
  });

  it('succeeds once of eight concurrent attempts with one challenge', async () => {
    const { email, key, userId } = await holder({ countsUses: false });
    const due = await firstFactor(email);
    const credential = key.get(await challenge(due));
    const before = await sessionsOf(userId);
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => verifyPasskey(due, credential)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.code === 'otp.invalid')).toHaveLength(7);
    expect(await sessionsOf(userId)).toBe(before + 1);
  });

  it('refuses another user’s passkey, even with a valid signature', async () => {
    const person = await holder();
    const other = await holder();
    const due = await firstFactor(person.email);
    expect(await usePasskey(due, other.key)).toMatchObject(wrong);
    const options = await challenge(due);
    const id = person.key.credentialId;
    expect(idsOf(options.allowCredentials)).toEqual([id]);
    const disguised = { ...other.key.get(options), id, rawId: id };
    expect(await verifyPasskey(due, disguised)).toMatchObject(wrong);
  });

  it.each([3, 2, 0])(
    'is refused and audited when its counter did not rise (3, then %i)',
    async (counter) => {
      const { email, key, userId, passkeyId } = await holder();
      const first = await firstFactor(email);
      expect(await usePasskey(first, key, { counter: 3 })).toMatchObject({ status: 200 });
      const due = await firstFactor(email);
      expect(await usePasskey(due, key, { counter })).toMatchObject(wrong);
      expect((await audited(userId))[0]).toEqual(
        entry('failed', 'failure', 'second_factor.counter_regression'),
      );
      const rows = app.stores.db.selectFrom('passkeys').select('counter');
      const [stored] = await rows.where('id', '=', passkeyId).execute();
      expect(stored).toEqual({ counter: 3 });
      expect(await usePasskey(due, key, { counter: 4 })).toMatchObject({ status: 200 });
    },
  );

  it('counts failures together with wrong codes: ten in a row lock both', async () => {
    const { email, key, secret } = await withBoth();
    const due = await firstFactor(email);
    expect(due.mfa_methods).toEqual(['totp', 'passkey', 'backup_code']);
    for (let at = 0; at < 5; at += 1) {
      expect(await usePasskey(due, key, { isForged: true })).toMatchObject(wrong);
      expect(await enterCode(due, '000000')).toBeProblem(400, 'otp.invalid');
    }
    const locked = await usePasskey(due, key);
    expect(locked).toBeProblem(429, 'otp.too_many_attempts');
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(60);
    expect(await enterCode(due, await people.totp(secret))).toMatchObject({ status: 429 });
  });

  it('remains required when the app is removed', async () => {
    const person = await withBoth();
    const strong = bearerOf(await signInWith(person));
    expect(await auth(strong).delete('/2fa/totp')).toMatchObject({ status: 200 });
    expect(await firstFactor(person.email)).toMatchObject({
      status: 'mfa_required',
      mfa_methods: ['passkey', 'backup_code'],
    });
  });

  it('leaves the app required when it is removed', async () => {
    const person = await withBoth();
    const strong = bearerOf(await signInWith(person));
    expect(await remove(person.passkeyId, strong)).toMatchObject({ status: 200 });
    const due = await firstFactor(person.email);
    expect(due).toMatchObject({ status: 'mfa_required', mfa_methods: ['totp', 'backup_code'] });
    expect(await askChallenge(due.mfa_token)).toBeProblem(404, 'second_factor.passkey_not_found');
  });

  it('can be replaced by a backup code; invalid tokens get no challenge', async () => {
    const person = await holder();
    const [code] = await people.newBackupCodes(bearerOf(await signInWith(person)));
    const due = await firstFactor(person.email);
    expect((await enterCode(due, code)).body).toMatchObject({ status: 'authenticated' });
    for (const token of ['svcm_x', person.accessToken])
      expect(await askChallenge(token)).toBeProblem(400, 'auth.invalid_mfa_token');
    offset += 11 * minuteMs;
    expect(await askChallenge(due.mfa_token)).toBeProblem(400, 'auth.invalid_mfa_token');
    offset -= 11 * minuteMs;
  });
});

describe('input and logs', () => {
  it('returns 422 in FastAPI’s shape for malformed credentials, without echoing them', async () => {
    const { email, key, bearer } = await holder();
    const due = await firstFactor(email);
    const good = key.get(await challenge(due));
    const response = good.response as Record<string, string>;
    const withResponse = (members: object) => ({ ...good, response: { ...response, ...members } });
    for (const { credential, at } of [
      { credential: { ...good, type: 'password' }, at: 'type' },
      { credential: { ...good, id: 'not base64url!' }, at: 'id' },
      { credential: { ...good, id: 'A'.repeat(1365) }, at: 'id' },
      { credential: withResponse({ signature: 'A'.repeat(16_385) }), at: 'response.signature' },
      { credential: withResponse({ clientDataJSON: 7 }), at: 'response.clientDataJSON' },
    ]) {
      const refused = await verifyPasskey(due, credential);
      expect(refused).toBeInvalid(`body.credential.${at}`);
      expect(refused.text).not.toContain(String(response.signature));
    }
    expect(await verifyPasskey(due, undefined)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'credential'] }] },
    });
    expect(await addPasskey({}, bearer)).toMatchObject({ status: 422 });
    const junk = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' };
    expect(await verifyPasskey(due, withResponse(junk))).toMatchObject(wrong);
  });

  it('log no credential, key or challenge', async () => {
    const { email, key, passkeyId } = await holder();
    const due = await firstFactor(email);
    const options = await challenge(due);
    const credential = key.get(options);
    await verifyPasskey(due, { ...credential, type: 'x' });
    await verifyPasskey(due, key.get(options, { isForged: true }));
    await usePasskey(due, key);
    const { public_key: stored } = await app.stores.db
      .selectFrom('passkeys')
      .select('public_key')
      .where('id', '=', passkeyId)
      .executeTakeFirstOrThrow();
    const publicKey = Buffer.from(stored);
    for (const secret of [
      key.credentialId,
      publicKey.toString('base64'),
      publicKey.toString('base64url'),
      publicKey.toString('hex'),
      String(options.challenge),
      (credential.response as { signature: string }).signature,
      email,
    ]) {
      expect(secret.length).toBeGreaterThan(8);
      expect(app.log()).not.toContain(secret);
    }
  });
});

describe('the relying party', () => {
  const localhost = { id: 'localhost', origin: 'http://localhost:3000' };
  const example = { id: 'app.example.com' };
  it.each([
    ['https://app.example.com', { ...example, origin: 'https://app.example.com' }],
    ['https://app.example.com:8443/under', { ...example, origin: 'https://app.example.com:8443' }],
    ['http://localhost:3000', localhost],
    ['http://127.0.0.1:3000', localhost],
    ['http://[::1]:3000', localhost],
    ['http://0.0.0.0:80', { id: 'localhost', origin: 'http://localhost' }],
    ['http://192.0.2.1:3000', undefined],
    ['https://[2001:db8::1]', undefined],
  ])('of %s has its host name', (baseUrl, expected) => {
    expect(relyingPartyOf(baseUrl)).toEqual(
      expected === undefined ? undefined : { ...expected, origins: [expected.origin] },
    );
  });

  it("does not depend on the request's Host header", async () => {
    const { bearer } = await newPerson();
    const options = await passkeyOptions({
      ...bearer,
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      origin: 'https://evil.example',
    });
    expect(options).toMatchObject({ rp: { id: 'localhost' } });
  });

  it('is undefined without a host name, so that passkeys are unavailable', async () => {
    const nameless = await freshApp({ env: { BASE_URL: 'http://192.0.2.1' } });
    onTestFinished(() => nameless.close());
    const there = createPeople(nameless);
    const { bearer } = await there.newPerson();
    const refused = await there.auth(bearer).post('/2fa/passkeys/options', {});
    expect(refused).toBeProblem(409, 'second_factor.passkeys_unavailable');
  });
});
