import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { TestApp } from './app.ts';

/**
 * Waits until the outbox has more than `after` messages for an address or number. Returns the code
 * in the newest one.
 */
export async function codeFor(
  app: TestApp,
  to: string,
  { after = 0 }: { after?: number } = {},
): Promise<string> {
  return vi.waitFor(
    () => {
      const messages = app.services.outbox.list(to);
      const code =
        messages.length > after ? /\b(\d{6})\b/.exec(messages[0]?.text ?? '')?.[1] : undefined;
      if (code === undefined) throw new Error('no code yet');
      return code;
    },
    { timeout: 10_000, interval: 10 },
  );
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** Posts JSON and returns the answer with its parsed body. */
export async function post(
  app: TestApp,
  url: string,
  payload: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await app.http.inject({
    method: 'POST',
    url,
    payload: JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

export interface SignedIn {
  accessToken: string;
  refreshToken: string;
  sessionId: string;
  userId: string;
  bearer: { authorization: string };
}

/** Signs in by email code, as a bearer client. `openBearer` is for tests about something else. */
export async function signInByEmail(app: TestApp, email: string): Promise<SignedIn> {
  const before = app.services.outbox.list(email).length;
  const { body: sent } = await post(app, '/api/auth/email/initiate', { email });
  const code = await codeFor(app, email, { after: before });
  const { body } = await post(app, '/api/auth/otp/verify', {
    email,
    code,
    verification_id: sent.verification_id,
  });
  const user = body.user as { id: string };
  return {
    accessToken: String(body.access_token),
    refreshToken: String(body.refresh_token),
    sessionId: String(body.session_id),
    userId: user.id,
    bearer: { authorization: `Bearer ${String(body.access_token)}` },
  };
}

/**
 * An address as verified by the right code, or by the identity provider (`fed`). `begun`: when the
 * sign-in began, Unix ms.
 */
export const verifiedEmail = (
  email: string,
  begun: number = Date.now(),
  method: 'otp' | 'fed' = 'otp',
) =>
  ({
    identity: { kind: 'email', key: email.toLowerCase(), value: email },
    amr: [method],
    begun,
    client: 'Firefox on macOS',
    address: '203.0.113.9',
    requestId: 'request-of-a-test',
  }) as const;

/** Opens a bearer session without a code, as a sign-in by email does. */
export async function openBearer(app: TestApp, email: string): Promise<SignedIn> {
  const opened = await app.services.signIn.asBearer(verifiedEmail(email, app.clock.now()));
  if (opened.status !== 'authenticated' || opened.user === null)
    throw new Error(`the sign-in is incomplete: ${opened.status}`);
  const { access_token: accessToken, refresh_token: refreshToken, session_id: sessionId } = opened;
  return {
    accessToken,
    refreshToken,
    sessionId,
    userId: opened.user.id,
    bearer: { authorization: `Bearer ${accessToken}` },
  };
}

/** Opens a browser session without a code, as a sign-in by email does. */
export async function openCookie(app: TestApp, email: string, begun = app.clock.now()) {
  const outcome = await app.services.signIn.asCookie(verifiedEmail(email, begun));
  if (outcome.mfa !== undefined) throw new Error('a second factor is due');
  const { cookie, sessionId, expiresAt } = outcome.session;
  return {
    cookie,
    sessionId,
    expiresAt,
    userId: outcome.user.id,
    headers: { cookie: `svc_session=${cookie}` },
  };
}

/** Adds an address to a user who has not verified it. Returns the identity. */
export async function addUnverified(app: TestApp, userId: string, email: string) {
  const identity = {
    id: randomUUID(),
    user_id: userId,
    kind: 'email',
    key: email,
    value: email,
    verified_at: null,
    created_at: new Date(),
  } as const;
  await app.stores.db.insertInto('identities').values(identity).execute();
  return identity;
}
