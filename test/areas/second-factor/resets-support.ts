import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import { vi } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { codeFor, post, type SignedIn, openBearer } from '../../support/sign-in.ts';

export interface Person extends SignedIn {
  email: string;
}

export interface Enrolled extends Person {
  secret: string;
}

export type Method = 'GET' | 'POST' | 'DELETE';

export interface ResetAnswer {
  status: number;
  /** Empty without a body. */
  body: Record<string, unknown>;
}

/** Everything that tests of 2FA resets do, for an app whose clock `now` is. */
export function createResetTests(app: () => TestApp, now: () => number) {
  const totp = (secret: string) => generate({ secret, epoch: Math.floor(now() / 1000) });

  async function newcomer(): Promise<Person> {
    const email = `${randomUUID().slice(0, 12)}@example.com`;
    return { ...(await openBearer(app(), email)), email };
  }

  async function admin(): Promise<Person> {
    const person = await newcomer();
    await app().services.users.setRoles(person.userId, ['admin']);
    return person;
  }

  /** Somebody with an authenticator app and backup codes. */
  async function owner(): Promise<Enrolled> {
    const person = await newcomer();
    const { body } = await post(app(), '/api/auth/2fa/totp', {}, person.bearer);
    const secret = String(body.secret);
    const code = await totp(secret);
    await post(app(), '/api/auth/2fa/totp/confirm', { code }, person.bearer);
    await app().services.secondFactor.newBackupCodes(person.userId, {
      address: '203.0.113.9',
      requestId: 'request-of-a-test',
    });
    return { ...person, secret };
  }

  /** Calls the resets of a user as an admin. */
  async function call(
    by: Pick<SignedIn, 'bearer'>,
    userId: string,
    method: Method,
    path = '',
    payload?: object,
  ): Promise<ResetAnswer> {
    const answer = await app().http.inject({
      method,
      url: `/api/v1/users/${userId}/factor-reset${path}`,
      headers: by.bearer,
      ...(payload === undefined ? {} : { payload }),
    });
    const body = answer.body === '' ? {} : answer.json<Record<string, unknown>>();
    return { status: answer.statusCode, body };
  }

  const request = (by: Pick<SignedIn, 'bearer'>, userId: string) =>
    call(by, userId, 'POST', '', { reason: 'Lost phone and codes.' });
  const approve = (by: Pick<SignedIn, 'bearer'>, userId: string) =>
    call(by, userId, 'POST', '/approve');
  const cancel = (by: Pick<SignedIn, 'bearer'>, userId: string) => call(by, userId, 'DELETE');
  const show = (by: Pick<SignedIn, 'bearer'>, userId: string) => call(by, userId, 'GET');

  return {
    newcomer,
    admin,
    owner,
    call,
    request,
    approve,
    cancel,
    show,
    totp,
    runDue: () => app().services.factorResets.runDue(),

    stateOf: async (userId: string): Promise<unknown> =>
      (await app().services.factorResets.latest(userId))?.state,

    reasonOf: async (userId: string): Promise<unknown> =>
      (await app().services.factorResets.latest(userId))?.cancel_reason,

    /** What somebody still has: factors, backup codes, sessions. */
    async belongingsOf(userId: string) {
      const { secondFactor, sessions, devices } = app().services;
      const { totp: appFactor, passkeys, backupCodes } = await secondFactor.statusOf(userId);
      return {
        app: appFactor?.verified === true,
        passkeys: passkeys.length,
        codes: backupCodes.left,
        sessions: (await sessions.list(userId)).length,
        devices: (await devices.management.listByUser(userId)).length,
      };
    },

    /** Signs in with the first factor. Returns the answer. */
    async firstFactor(email: string): Promise<Record<string, unknown>> {
      const after = app().services.outbox.list(email).length;
      await post(app(), '/api/auth/email/initiate', { email });
      const code = await codeFor(app(), email, { after });
      return (await post(app(), '/api/auth/otp/verify', { email, code })).body;
    },

    /** The texts of messages to an address or number, newest first. */
    textsTo: (to: string): string[] =>
      app()
        .services.outbox.list(to)
        .map(({ subject, text }) => `${subject ?? ''}\n${text}`),

    /** Waits for a message. Returns its text. */
    textTo: (to: string, part: string): Promise<string> =>
      vi.waitFor(
        () => {
          const found = app()
            .services.outbox.list(to)
            .map(({ subject, text }) => `${subject ?? ''}\n${text}`)
            .find((text) => text.includes(part));
          if (found === undefined) throw new Error(`no message to ${to} says ${part}`);
          return found;
        },
        { timeout: 10_000, interval: 10 },
      ),

    actionsOf: async (userId: string): Promise<string[]> =>
      (await app().services.audit.list({ target_id: userId, limit: 100 })).data.map(
        ({ action }) => action,
      ),
  };
}

/** The token in the link of a message. */
export function tokenIn(text: string): string {
  const token = /\/account\/factor-reset\?token=([\w-]{43})/.exec(text)?.[1];
  if (token === undefined) throw new Error('the message has no link');
  return token;
}

/** Opens the page of a link, or presses its button. */
export const follow = (app: TestApp, method: 'GET' | 'POST', token: string) =>
  app.http.inject({
    method,
    url:
      method === 'GET'
        ? `/account/factor-reset?token=${encodeURIComponent(token)}`
        : '/account/factor-reset',
    ...(method === 'GET' ? {} : { payload: new URLSearchParams({ token }).toString() }),
    headers: {
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      origin: 'http://localhost:80',
      host: 'localhost:80',
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
  });
