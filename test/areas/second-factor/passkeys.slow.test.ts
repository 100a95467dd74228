import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { relyingPartyOf } from '../../../src/areas/second-factor/passkeys/relying-party.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type Twist,
} from '../../support/authenticator.ts';
import { type Answer, codeFor, post, type SignedIn, openBearer } from '../../support/sign-in.ts';

type Headers = Record<string, string>;
const minute = 60_000;
let offset = 0;
let app: FreshApp;
const clock = { now: () => Date.now() + offset };
const origin = 'http://localhost:3000';

beforeAll(async () => {
  app = await freshApp({ clock, env: { OTP_LIMITS: 'off' } });
  await app.services.queues.start();
}, 30_000);
afterAll(() => app.close());

const nextStep = () => void (offset += 30_000);
const totp = (secret: string) => generate({ secret, epoch: Math.floor(clock.now() / 1000) });
const get = async (url: string, headers: Headers) =>
  (await app.http.inject({ url, headers })).json<Record<string, unknown>>();
const remove = (id: unknown, headers: Headers) =>
  app.http.inject({ method: 'DELETE', url: `/api/auth/2fa/passkeys/${String(id)}`, headers });
const bearerOf = ({ body }: Answer): Headers => ({
  authorization: `Bearer ${String(body.access_token)}`,
});
const optionsFor = (headers: Headers) => post(app, '/api/auth/2fa/passkeys/options', {}, headers);
const add = (credential: unknown, headers: Headers, name?: string) =>
  post(app, '/api/auth/2fa/passkeys', { credential, name }, headers);
const challengeOf = async (due: Record<string, unknown>) =>
  (await post(app, '/api/auth/2fa/passkeys/challenge', { mfa_token: due.mfa_token })).body;
const verify = (due: Record<string, unknown>, credential: unknown) =>
  post(app, '/api/auth/2fa/passkeys/verify', { mfa_token: due.mfa_token, credential });
const wrong = { status: 400, body: { code: 'otp.invalid', detail: 'Invalid or expired code' } };
const sessionsOf = (userId: string) => app.services.sessions.list(userId);

async function audited(userId: string) {
  const { data } = await app.services.audit.list({ actor_id: userId, limit: 100 });
  return data
    .filter(({ action }) => action.startsWith('second_factor.'))
    .map(({ action, outcome, reason, details }) => ({
      action,
      outcome,
      reason,
      method: details.method,
    }));
}

interface Holder extends SignedIn {
  email: string;
  key: Authenticator;
  passkeyId: string;
}

let people = 0;
const newEmail = () => `passkey-${people++}@example.com`;

/** A user with one passkey, whose session is still `aal1`. */
async function holder(
  traits: Partial<AuthenticatorOptions> = {},
  email = newEmail(),
): Promise<Holder> {
  const person = await openBearer(app, email);
  const key = createAuthenticator({ origin, ...traits });
  const added = await add(
    key.create((await optionsFor(person.bearer)).body),
    person.bearer,
    'Blue key',
  );
  expect(added).toMatchObject({ status: 201 });
  return { ...person, email, key, passkeyId: String(added.body.id) };
}

/** Signs in with a code by email, up to the second factor. */
async function firstFactor(email: string): Promise<Record<string, unknown>> {
  const after = app.services.outbox.list(email).length;
  await post(app, '/api/auth/email/initiate', { email });
  return (
    await post(app, '/api/auth/otp/verify', { email, code: await codeFor(app, email, { after }) })
  ).body;
}

/** Signs in with both factors. */
async function signInWith({ email, key }: Pick<Holder, 'email' | 'key'>): Promise<Answer> {
  const due = await firstFactor(email);
  return verify(due, key.get(await challengeOf(due)));
}

/** A user with a passkey and an app, and a session that has used both factors. */
async function withBoth() {
  const person = await holder();
  const strong = bearerOf(await signInWith(person));
  const secret = String((await post(app, '/api/auth/2fa/totp', {}, strong)).body.secret);
  expect(
    (await post(app, '/api/auth/2fa/totp/confirm', { code: await totp(secret) }, strong)).status,
  ).toBe(200);
  nextStep();
  return { ...person, secret, strong };
}

describe('a passkey', () => {
  it('is created without personal data, and is required from then on', async () => {
    const person = await openBearer(app, 'first@example.com');
    const elsewhere = await openBearer(app, 'first@example.com');
    const options = await optionsFor(person.bearer);
    expect(options).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        rp: { id: 'localhost', name: 'Platform Service' },
        user: {
          id: Buffer.from(person.userId.replaceAll('-', ''), 'hex').toString('base64url'),
          name: 'first@example.com',
        },
        attestation: 'none',
        timeout: 300_000,
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      },
    });
    const key = createAuthenticator({ origin });
    const added = await add(key.create(options.body), person.bearer, '  Blue key ');
    expect(added).toMatchObject({
      status: 201,
      body: { name: 'Blue key', last_used_at: null, backed_up: false },
    });
    expect(Object.keys(added.body).sort()).toEqual([
      'backed_up',
      'created_at',
      'id',
      'last_used_at',
      'name',
    ]);
    expect(await get('/api/auth/2fa/status', person.bearer)).toMatchObject({
      enabled: true,
      totp_enabled: false,
      passkey_count: 1,
      methods: [{ type: 'passkey', verified: true, last_used_at: null }],
    });
    expect(await get('/api/auth/2fa/passkeys', person.bearer)).toEqual({
      data: [added.body],
      total: 1,
    });
    expect(
      (await app.http.inject({ url: '/api/auth/me', headers: elsewhere.bearer })).statusCode,
    ).toBe(401);
    expect(await audited(person.userId)).toEqual([
      { action: 'second_factor.enrolled', outcome: 'success', reason: null, method: 'passkey' },
    ]);
  });

  it('case 45 › is required on every route and completes the sign-in', async () => {
    const person = await holder();
    const { email, userId, key } = person;
    const before = (await sessionsOf(userId)).length;
    const due = await firstFactor(email);
    expect(due).toMatchObject({
      status: 'mfa_required',
      access_token: null,
      user: null,
      mfa_methods: ['passkey', 'backup_code'],
    });
    const from = { begun: clock.now(), client: 'test', address: '127.0.0.1', requestId: 'test' };
    const identity = { kind: 'email' as const, key: email, value: email };
    expect(
      await app.services.signIn.asCookie({ identity, amr: ['fed'], ...from }),
    ).not.toHaveProperty('session');
    expect(await sessionsOf(userId)).toHaveLength(before);

    const options = await challengeOf(due);
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      timeout: 300_000,
      rpId: 'localhost',
      userVerification: 'preferred',
      allowCredentials: [{ type: 'public-key', id: key.credentialId, transports: ['usb'] }],
    });
    const done = await verify(
      due,
      key.get(options, {
        userHandle: Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url'),
      }),
    );
    expect(done).toMatchObject({
      status: 200,
      body: { status: 'authenticated', mfa_required: false, user: { email } },
    });
    expect(await get('/api/auth/me', bearerOf(done))).toMatchObject({
      acr: 'aal2',
      amr: ['otp', 'hwk', 'mfa'],
    });
    const {
      data: [passkey],
    } = (await get('/api/auth/2fa/passkeys', bearerOf(done))) as {
      data: { last_used_at: string | null }[];
    };
    expect(passkey?.last_used_at).not.toBeNull();
    expect((await audited(userId))[0]).toEqual({
      action: 'second_factor.verified',
      outcome: 'success',
      reason: null,
      method: 'passkey',
    });
    expect(await verify(due, key.get(options))).toMatchObject(wrong);
  });

  it('is `swk` when synced; authenticators without a counter are accepted', async () => {
    const person = await holder({ isBackedUp: true, countsUses: false });
    for (let time = 0; time < 2; time += 1) {
      const done = await signInWith(person);
      expect(await get('/api/auth/me', bearerOf(done))).toMatchObject({
        acr: 'aal2',
        amr: ['otp', 'swk', 'mfa'],
      });
    }
    expect(await get('/api/auth/2fa/passkeys', bearerOf(await signInWith(person)))).toMatchObject({
      data: [{ backed_up: true }],
    });
  });

  it('is named after the browser by default', async () => {
    const { bearer } = await openBearer(app, newEmail());
    const options = (await optionsFor(bearer)).body;
    const added = await add(createAuthenticator({ origin }).create(options), {
      ...bearer,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
    expect(added.body).toMatchObject({ name: 'Firefox on Linux' });
  });

  it('is removed after a fresh sign-in with it; without any, none is required', async () => {
    const person = await holder();
    const { email, bearer, userId, passkeyId } = person;
    expect((await remove(passkeyId, bearer)).json()).toMatchObject({
      code: 'second_factor.aal2_required',
    });
    const strong = bearerOf(await signInWith(person));
    offset += 6 * minute;
    expect((await remove(passkeyId, strong)).json()).toMatchObject({
      code: 'auth.step_up_required',
    });
    offset -= 6 * minute;
    expect((await remove('00000000-0000-4000-8000-000000000000', strong)).json()).toMatchObject({
      status: 404,
      code: 'second_factor.passkey_not_found',
    });
    const stranger = await holder();
    const theirs = await remove(stranger.passkeyId, strong);
    expect({
      status: theirs.statusCode,
      total: (await get('/api/auth/2fa/passkeys', stranger.bearer)).total,
    }).toEqual({ status: 404, total: 1 });
    expect((await remove('no-uuid', strong)).statusCode).toBe(422);
    expect((await remove(passkeyId, strong)).json()).toEqual({ ok: true });
    expect((await app.http.inject({ url: '/api/auth/me', headers: bearer })).statusCode).toBe(401);
    expect(await sessionsOf(userId)).toHaveLength(1);
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
    const held = [person.key.credentialId];
    for (let at = 1; at < 20; at += 1) {
      const key = createAuthenticator({ origin });
      expect((await add(key.create((await optionsFor(strong)).body), strong)).status).toBe(201);
      held.push(key.credentialId);
      if (at > 1) continue;
      const { body } = await optionsFor(strong);
      expect((body.excludeCredentials as { id: string }[]).map(({ id }) => id)).toEqual(held);
      expect(await add(key.create(body), strong)).toMatchObject(wrong);
    }
    expect(await optionsFor(strong)).toMatchObject({
      status: 409,
      body: { code: 'second_factor.too_many_passkeys' },
    });
    expect(await get('/api/auth/2fa/status', strong)).toMatchObject({ passkey_count: 20 });
  });
});

describe('creating a passkey', () => {
  it.each<[string, Twist]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of this origin on another port', { origin: 'http://localhost:3001' }],
    ['for another host', { rpId: 'evil.example' }],
    ['inside a frame', { crossOrigin: true }],
    ['with the data of a sign-in', { type: 'webauthn.get' }],
    ['for a forged challenge', { challenge: 'A'.repeat(43) }],
    ['without user presence', { isPresent: false }],
    ['with an unrequested certificate', { statement: 'certificate' }],
  ])('%s is refused, and leaves nothing', async (_name, twist) => {
    const { bearer, userId } = await openBearer(app, newEmail());
    const options = (await optionsFor(bearer)).body;
    const key = createAuthenticator({ origin });
    expect(await add(key.create(options, twist), bearer)).toMatchObject(wrong);
    expect(await get('/api/auth/2fa/status', bearer)).toMatchObject({
      enabled: false,
      passkey_count: 0,
    });
    expect(await audited(userId)).toEqual([
      { action: 'second_factor.failed', outcome: 'failure', reason: null, method: 'passkey' },
    ]);
    // The first attempt used up the challenge, though it failed.
    expect(await add(key.create(options), bearer)).toMatchObject(wrong);
  });

  it('accepts self attestation, which browsers pass on', async () => {
    const { bearer } = await openBearer(app, newEmail());
    expect(
      (
        await add(
          createAuthenticator({ origin }).create((await optionsFor(bearer)).body, {
            statement: 'self',
          }),
          bearer,
        )
      ).status,
    ).toBe(201);
  });

  it('works only with the newest challenge of the same session', async () => {
    const email = newEmail();
    const [here, there, stranger] = [
      await openBearer(app, email),
      await openBearer(app, email),
      await openBearer(app, newEmail()),
    ];
    const options = (await optionsFor(here.bearer)).body;
    for (const { bearer } of [there, stranger]) {
      expect(await add(createAuthenticator({ origin }).create(options), bearer)).toMatchObject(
        wrong,
      );
      await optionsFor(bearer);
      expect(await add(createAuthenticator({ origin }).create(options), bearer)).toMatchObject(
        wrong,
      );
    }
    const newer = (await optionsFor(here.bearer)).body;
    expect(await add(createAuthenticator({ origin }).create(options), here.bearer)).toMatchObject(
      wrong,
    );
    expect(await add(createAuthenticator({ origin }).create(newer), here.bearer)).toMatchObject(
      wrong,
    );
    expect(
      (
        await add(
          createAuthenticator({ origin }).create((await optionsFor(here.bearer)).body),
          here.bearer,
        )
      ).status,
    ).toBe(201);
  });

  it('needs a fresh sign-in, with the second factor if the user has one', async () => {
    expect((await post(app, '/api/auth/2fa/passkeys/options', {})).status).toBe(401);
    const person = await holder();
    const credential = createAuthenticator({ origin }).create({
      challenge: 'A',
      rp: { id: 'localhost' },
    });
    for (const refused of [
      await optionsFor(person.bearer),
      await add(credential, person.bearer),
      await post(app, '/api/auth/2fa/totp', {}, person.bearer),
      await post(app, '/api/auth/backup-codes', {}, person.bearer),
    ]) {
      expect(refused).toMatchObject({ status: 401, body: { code: 'second_factor.aal2_required' } });
    }
    offset += 6 * minute;
    expect(await optionsFor(person.bearer)).toMatchObject({
      status: 401,
      body: { code: 'auth.step_up_required' },
    });
    offset -= 6 * minute;
  });

  it('accepts only one of two concurrent first ones from different sessions', async () => {
    const email = newEmail();
    const [one, other] = [await openBearer(app, email), await openBearer(app, email)];
    const made = [];
    for (const { bearer } of [one, other])
      made.push({
        bearer,
        credential: createAuthenticator({ origin }).create((await optionsFor(bearer)).body),
      });
    const responses = await Promise.all(
      made.map(({ bearer, credential }) => add(credential, bearer)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 401]);
    const rows = await app.stores.db
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', one.userId)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('refuses a credential of another user', async () => {
    const { key } = await holder();
    const { bearer } = await openBearer(app, newEmail());
    expect(await add(key.create((await optionsFor(bearer)).body), bearer)).toMatchObject(wrong);
    expect(await get('/api/auth/2fa/status', bearer)).toMatchObject({ enabled: false });
  });
});

describe('signing in with a passkey', () => {
  it.each<[string, Twist]>([
    ['at another origin', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['inside a frame', { crossOrigin: true }],
    ['with the data of a registration', { type: 'webauthn.create' }],
    ['with a forged challenge', { challenge: 'A'.repeat(43) }],
    ['without user presence', { isPresent: false }],
    ['with a forged signature', { isForged: true }],
    ['that claims to be synced, though it is bound to its device', { isBackedUp: true }],
    ['with another user’s handle', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('%s is refused, and the challenge is used up', async (_name, twist) => {
    const { email, key, userId } = await holder();
    const before = (await sessionsOf(userId)).length;
    const due = await firstFactor(email);
    const options = await challengeOf(due);
    expect(await verify(due, key.get(options, twist))).toMatchObject(wrong);
    expect(await verify(due, key.get(options))).toMatchObject(wrong);
    expect(await sessionsOf(userId)).toHaveLength(before);
    expect((await audited(userId))[0]).toEqual({
      action: 'second_factor.failed',
      outcome: 'failure',
      reason: null,
      method: 'passkey',
    });
    expect((await verify(due, key.get(await challengeOf(due)))).status).toBe(200);
  });

  it('works only with the challenge of the same sign-in', async () => {
    const person = await holder();
    const [one, other] = [await firstFactor(person.email), await firstFactor(person.email)];
    const options = await challengeOf(one);
    expect(await verify(other, person.key.get(options))).toMatchObject(wrong);
    await challengeOf(other);
    expect(await verify(other, person.key.get(options))).toMatchObject(wrong);
    expect((await verify(one, person.key.get(options))).status).toBe(200);
    const again = await verify(one, person.key.get(options));
    expect(again).toMatchObject(wrong);
  });

  it('succeeds once of eight concurrent attempts with one challenge', async () => {
    const { email, key, userId } = await holder({ countsUses: false });
    const due = await firstFactor(email);
    const credential = key.get(await challengeOf(due));
    const before = (await sessionsOf(userId)).length;
    const responses = await Promise.all(Array.from({ length: 8 }, () => verify(due, credential)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.code === 'otp.invalid')).toHaveLength(7);
    expect(await sessionsOf(userId)).toHaveLength(before + 1);
  });

  it('refuses another user’s passkey, even with a valid signature', async () => {
    const [person, other] = [await holder(), await holder()];
    const due = await firstFactor(person.email);
    expect(await verify(due, other.key.get(await challengeOf(due)))).toMatchObject(wrong);
    const options = await challengeOf(due);
    expect((options.allowCredentials as { id: string }[]).map(({ id }) => id)).toEqual([
      person.key.credentialId,
    ]);
    const disguised = {
      ...other.key.get(options),
      id: person.key.credentialId,
      rawId: person.key.credentialId,
    };
    expect(await verify(due, disguised)).toMatchObject(wrong);
  });

  it.each([3, 2, 0])(
    'is refused and audited when its counter did not rise (3, then %i)',
    async (counter) => {
      const person = await holder();
      const first = await firstFactor(person.email);
      expect(
        (await verify(first, person.key.get(await challengeOf(first), { counter: 3 }))).status,
      ).toBe(200);
      const due = await firstFactor(person.email);
      expect(await verify(due, person.key.get(await challengeOf(due), { counter }))).toMatchObject(
        wrong,
      );
      expect((await audited(person.userId))[0]).toEqual({
        action: 'second_factor.failed',
        outcome: 'failure',
        reason: 'second_factor.counter_regression',
        method: 'passkey',
      });
      const { counter: stored } = await app.stores.db
        .selectFrom('passkeys')
        .select('counter')
        .where('id', '=', person.passkeyId)
        .executeTakeFirstOrThrow();
      expect(stored).toBe(3);
      expect(
        (await verify(due, person.key.get(await challengeOf(due), { counter: 4 }))).status,
      ).toBe(200);
    },
  );

  it('counts failures together with wrong codes: ten in a row lock both', async () => {
    const { email, key, secret } = await withBoth();
    const due = await firstFactor(email);
    expect(due.mfa_methods).toEqual(['totp', 'passkey', 'backup_code']);
    for (let at = 0; at < 5; at += 1) {
      expect(await verify(due, key.get(await challengeOf(due), { isForged: true }))).toMatchObject(
        wrong,
      );
      expect(
        await post(app, '/api/auth/otp/verify', { mfa_token: due.mfa_token, code: '000000' }),
      ).toMatchObject({ status: 400, body: { code: 'otp.invalid' } });
    }
    const locked = await verify(due, key.get(await challengeOf(due)));
    expect(locked).toMatchObject({ status: 429, body: { code: 'otp.too_many_attempts' } });
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(60);
    expect(
      (
        await post(app, '/api/auth/otp/verify', {
          mfa_token: due.mfa_token,
          code: await totp(secret),
        })
      ).status,
    ).toBe(429);
  });

  it('remains required when the app is removed, and vice versa', async () => {
    const person = await withBoth();
    const strong = bearerOf(await signInWith(person));
    expect(
      (await app.http.inject({ method: 'DELETE', url: '/api/auth/2fa/totp', headers: strong }))
        .statusCode,
    ).toBe(200);
    expect(await firstFactor(person.email)).toMatchObject({
      status: 'mfa_required',
      mfa_methods: ['passkey', 'backup_code'],
    });
    const other = await withBoth();
    const withKey = bearerOf(await signInWith(other));
    expect((await remove(other.passkeyId, withKey)).statusCode).toBe(200);
    const due = await firstFactor(other.email);
    expect(due).toMatchObject({ status: 'mfa_required', mfa_methods: ['totp', 'backup_code'] });
    expect(
      await post(app, '/api/auth/2fa/passkeys/challenge', { mfa_token: due.mfa_token }),
    ).toMatchObject({ status: 404, body: { code: 'second_factor.passkey_not_found' } });
  });

  it('can be replaced by a backup code; invalid tokens get no challenge', async () => {
    const person = await holder();
    const codes = (
      await post(app, '/api/auth/backup-codes', {}, bearerOf(await signInWith(person)))
    ).body.backup_codes as string[];
    const due = await firstFactor(person.email);
    expect(
      (await post(app, '/api/auth/otp/verify', { mfa_token: due.mfa_token, code: codes[0] })).body,
    ).toMatchObject({ status: 'authenticated' });
    for (const mfaToken of ['svcm_x', person.accessToken]) {
      expect(
        await post(app, '/auth/2fa/passkeys/challenge', { mfa_token: mfaToken }),
      ).toMatchObject({ status: 400, body: { code: 'auth.invalid_mfa_token' } });
    }
    offset += 11 * minute;
    expect(
      await post(app, '/auth/2fa/passkeys/challenge', { mfa_token: due.mfa_token }),
    ).toMatchObject({ status: 400, body: { code: 'auth.invalid_mfa_token' } });
    offset -= 11 * minute;
  });
});

describe('input and logs', () => {
  it('returns 422 in FastAPI’s shape for malformed credentials, without echoing them', async () => {
    const person = await holder();
    const due = await firstFactor(person.email);
    const good = person.key.get(await challengeOf(due));
    const response = good.response as Record<string, unknown>;
    const bad: [unknown, (string | number)[]][] = [
      [{ ...good, type: 'password' }, ['type']],
      [{ ...good, id: 'not base64url!' }, ['id']],
      [{ ...good, id: 'A'.repeat(1365) }, ['id']],
      [
        { ...good, response: { ...response, signature: 'A'.repeat(16_385) } },
        ['response', 'signature'],
      ],
      [{ ...good, response: { ...response, clientDataJSON: 7 } }, ['response', 'clientDataJSON']],
    ];
    for (const [credential, path] of bad) {
      const answer = await verify(due, credential);
      expect(answer).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'credential', ...path] }] },
      });
      expect(JSON.stringify(answer.body)).not.toContain(String(response.signature));
    }
    expect(await verify(due, undefined)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'credential'] }] },
    });
    expect(await add({}, person.bearer)).toMatchObject({ status: 422 });
    const junk = {
      ...good,
      response: {
        ...response,
        clientDataJSON: 'AAAA',
        authenticatorData: 'AAAA',
        signature: 'AAAA',
      },
    };
    expect(await verify(due, junk)).toMatchObject(wrong);
  });

  it('log no credential, key or challenge', async () => {
    const person = await holder();
    const due = await firstFactor(person.email);
    const options = await challengeOf(due);
    const credential = person.key.get(options);
    await verify(due, { ...credential, type: 'x' });
    await verify(due, person.key.get(options, { isForged: true }));
    await verify(due, person.key.get(await challengeOf(due)));
    const { public_key: publicKey } = await app.stores.db
      .selectFrom('passkeys')
      .select('public_key')
      .where('id', '=', person.passkeyId)
      .executeTakeFirstOrThrow();
    const key = Buffer.from(publicKey);
    for (const secret of [
      person.key.credentialId,
      key.toString('base64'),
      key.toString('base64url'),
      key.toString('hex'),
      String(options.challenge),
      (credential.response as { signature: string }).signature,
      person.email,
    ]) {
      expect(secret.length).toBeGreaterThan(8);
      expect(app.log()).not.toContain(secret);
    }
  });
});

describe('the relying party', () => {
  it.each([
    ['https://app.example.com', { id: 'app.example.com', origin: 'https://app.example.com' }],
    [
      'https://app.example.com:8443/under',
      { id: 'app.example.com', origin: 'https://app.example.com:8443' },
    ],
    ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
    ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
    ['http://[::1]:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
    ['http://0.0.0.0:80', { id: 'localhost', origin: 'http://localhost' }],
    ['http://192.0.2.1:3000', undefined],
    ['https://[2001:db8::1]', undefined],
  ])('%s', (baseUrl, expected) => {
    expect(relyingPartyOf(baseUrl, 'App')).toEqual(
      expected === undefined ? undefined : { ...expected, origins: [expected.origin], name: 'App' },
    );
  });

  it("does not depend on the request's Host header", async () => {
    const { bearer } = await openBearer(app, newEmail());
    const named = await post(
      app,
      '/api/auth/2fa/passkeys/options',
      {},
      {
        ...bearer,
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        origin: 'https://evil.example',
      },
    );
    expect(named.body).toMatchObject({ rp: { id: 'localhost' } });
  });

  it('is undefined without a host name, so that passkeys are unavailable', async () => {
    const nameless = await freshApp({ env: { BASE_URL: 'http://192.0.2.1' } });
    try {
      await nameless.services.queues.start();
      const person = await openBearer(nameless, 'nameless@example.com');
      expect(
        await post(nameless, '/api/auth/2fa/passkeys/options', {}, person.bearer),
      ).toMatchObject({ status: 409, body: { code: 'second_factor.passkeys_unavailable' } });
    } finally {
      await nameless.close();
    }
  }, 60_000);
});
