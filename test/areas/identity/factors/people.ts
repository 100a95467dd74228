import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import { expect } from 'vitest';
import type { TestApp } from '../../../support/app.ts';
import {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
  type Twist,
} from '../../../support/authenticator.ts';
import { TestClient, type TestResponse } from '../../../support/client.ts';
import { codeFor, openBearer, type SignedIn } from '../../../support/sign-in.ts';

type Headers = Record<string, string>;
type Members = Record<string, unknown>;

export interface Person extends SignedIn {
  email: string;
}

/** Somebody with a passkey. */
export interface Holder extends Person {
  key: Authenticator;
  passkeyId: string;
}

const origin = 'http://localhost:3000';

export const newAuthenticator = (traits: Partial<AuthenticatorOptions> = {}) =>
  createAuthenticator({ origin, ...traits });

/** The response to every wrong passkey. */
export const wrongPasskey = {
  status: 400,
  body: { code: 'otp.invalid', detail: 'Invalid or expired code' },
};

export const bearerOf = ({ body }: TestResponse): Headers => ({
  authorization: `Bearer ${String(body.access_token)}`,
});

/** The handle of a user in WebAuthn. */
export const handleOf = (userId: string): string =>
  Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');

/** People who sign in with second factors, in an app whose time is `now`. */
export function createPeople(app: TestApp, now: () => number = Date.now) {
  const auth = (headers: Headers = {}) => new TestClient(app).at('/api/auth').as(headers);
  const totp = (secret: string) => generate({ secret, epoch: Math.floor(now() / 1000) });

  async function newPerson(email = `${randomUUID().slice(0, 12)}@example.com`): Promise<Person> {
    return { ...(await openBearer(app, email)), email };
  }

  /** Sets up an authenticator app. Returns its secret. */
  async function addApp(headers: Headers): Promise<string> {
    const { body } = await auth(headers).post('/2fa/totp', {});
    const secret = String(body.secret);
    const code = await totp(secret);
    expect(await auth(headers).post('/2fa/totp/confirm', { code })).toMatchObject({ status: 200 });
    return secret;
  }

  /** Signs in with a code by email, up to the second factor. */
  async function firstFactor(email: string): Promise<Members> {
    const after = app.services.outbox.list(email).length;
    await auth().post('/email/initiate', { email });
    const code = await codeFor(app, email, { after });
    return (await auth().post('/otp/verify', { email, code })).body;
  }

  const passkeyOptions = async (headers: Headers): Promise<Members> =>
    (await auth(headers).post('/2fa/passkeys/options', {})).body;
  const addPasskey = (credential: unknown, headers: Headers, name?: string) =>
    auth(headers).post('/2fa/passkeys', { credential, name });
  const challenge = async (due: Members): Promise<Members> =>
    (await auth().post('/2fa/passkeys/challenge', { mfa_token: due.mfa_token })).body;
  const verifyPasskey = (due: Members, credential: unknown) =>
    auth().post('/2fa/passkeys/verify', { mfa_token: due.mfa_token, credential });

  /** Creates a passkey, whose session remains `aal1`. */
  async function holder(
    traits: Partial<AuthenticatorOptions> = {},
    twist: Twist = {},
  ): Promise<Holder> {
    const person = await newPerson();
    const key = newAuthenticator(traits);
    const credential = key.create(await passkeyOptions(person.bearer), twist);
    const added = await addPasskey(credential, person.bearer, 'Blue key');
    expect(added).toMatchObject({ status: 201 });
    return { ...person, key, passkeyId: String(added.body.id) };
  }

  /** Signs in with both factors. */
  async function signInWith({ email, key }: Pick<Holder, 'email' | 'key'>): Promise<TestResponse> {
    const due = await firstFactor(email);
    return verifyPasskey(due, key.get(await challenge(due)));
  }

  return {
    auth,
    totp,
    newPerson,
    addApp,
    firstFactor,
    passkeyOptions,
    addPasskey,
    challenge,
    verifyPasskey,
    /** Enters a code of the app, or a backup code. */
    enterCode: (due: Members, code: unknown) =>
      auth().post('/otp/verify', { mfa_token: due.mfa_token, code }),
    newBackupCodes: async (headers: Headers) =>
      (await auth(headers).post<{ backup_codes: string[] }>('/backup-codes', {})).body.backup_codes,
    holder,
    /** Answers the challenge of a sign-in with a passkey. */
    usePasskey: async (due: Members, key: Authenticator, twist: Twist = {}) =>
      verifyPasskey(due, key.get(await challenge(due), twist)),
    signInWith,
    sessionsOf: async (userId: string): Promise<number> =>
      (await app.services.sessions.list(userId)).length,
  };
}
