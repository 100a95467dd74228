import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import type { MfaFactor } from '../factors/service.ts';
import { sessionCookieHeaders, sessionCookieValues } from '../sessions/cookies.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { Sessions } from '../sessions/service.ts';
import type { CookieSession, MfaDue, VerifiedSignIn, SignedIn, SignIn } from './service.ts';

export interface BrowserSignInDeps {
  signIn: Pick<SignIn, 'asCookie' | 'completeAsCookie'>;
  sessions: Pick<Sessions, 'find' | 'endOwn'>;
  isHttps: boolean;
  knownDevices: Pick<KnownDevices, 'cookieWith'>;
  /** Binds the session to the device whose cookie came with the request. */
  bindDevice: (
    userId: string,
    sessionId: string,
    cookieHeader: string | undefined,
  ) => Promise<void>;
}

/** A browser that has signed in, with the cookies to set. */
export type BrowserSignedIn = SignedIn & {
  mfa?: undefined;
  /** Set-Cookie headers: the session, and the known-device token, which outlives a sign-out. */
  setCookies: string[];
};

/** The result of a browser's sign-in: cookies to set, or a second factor to ask for. */
export type BrowserOutcome = { mfa: MfaDue } | BrowserSignedIn;

type Deps = Omit<BrowserSignInDeps, 'signIn'>;

/**
 * Ends the sessions of the browser's cookies, which an attacker may have set (session fixation).
 */
async function replaceSessions(
  deps: Deps,
  { user, isNew, session }: SignedIn & { session: CookieSession },
  cookieHeader: string | undefined,
  from: RequestOrigin,
): Promise<BrowserSignedIn> {
  const { sessions, isHttps, bindDevice, knownDevices } = deps;
  for (const value of sessionCookieValues(cookieHeader)) {
    const previous = await sessions.find(value, 'cookie');
    if (previous !== undefined)
      await sessions.endOwn(previous.userId, previous.id, from, 'session.replaced');
  }
  await bindDevice(user.id, session.sessionId, cookieHeader);
  const deviceCookie = knownDevices.cookieWith({
    token: session.deviceToken,
    userId: user.id,
    presented: from.deviceTokens,
    isHttps,
  });
  const sessionCookies = sessionCookieHeaders(session.cookie, session.expiresAt, isHttps);
  return { user, isNew, setCookies: [...sessionCookies, deviceCookie] };
}

/** Signs a browser in. */
export function createBrowserSignIn({ signIn, ...deps }: BrowserSignInDeps) {
  return async (
    verified: VerifiedSignIn,
    cookieHeader: string | undefined,
  ): Promise<BrowserOutcome> => {
    const outcome = await signIn.asCookie(verified);
    if (outcome.mfa !== undefined) return outcome;
    return replaceSessions(deps, outcome, cookieHeader, verified);
  };
}

/**
 * Completes a browser's sign-in with the second factor. Throws the errors of
 * `signIn.completeAsCookie`.
 */
export function createBrowserCompletion({ signIn, ...deps }: BrowserSignInDeps) {
  return async (
    token: string,
    factor: MfaFactor,
    cookieHeader: string | undefined,
    from: RequestOrigin,
  ): Promise<BrowserSignedIn> => {
    const outcome = await signIn.completeAsCookie(token, factor, from);
    return replaceSessions(deps, outcome, cookieHeader, from);
  };
}

export type BrowserSignIn = ReturnType<typeof createBrowserSignIn>;
export type BrowserCompletion = ReturnType<typeof createBrowserCompletion>;
