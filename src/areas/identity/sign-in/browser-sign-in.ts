import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import type { MfaFactor } from '../factors/service.ts';
import { sessionCookieHeaders, sessionCookieValues } from '../sessions/cookies.ts';
import type { SignInParts } from './context.ts';
import type { CookieSession, MfaDue, VerifiedSignIn, SignedIn, SignIn } from './service.ts';

/** A browser that has signed in, with the cookies to set. */
export type BrowserSignedIn = SignedIn & {
  mfa?: undefined;
  /** Set-Cookie headers: the session, and the known-device token, which outlives a sign-out. */
  setCookies: string[];
};

/** The result of a browser's sign-in: cookies to set, or a second factor to ask for. */
export type BrowserOutcome = { mfa: MfaDue } | BrowserSignedIn;

/** Signs browsers in. */
export function createBrowserSignIn(
  { sessions, isHttps, bindDevice, knownDevices }: SignInParts,
  signIn: SignIn,
) {
  return {
    /** Signs in, unless a second factor is due. Throws the errors of `signIn.asCookie`. */
    async begin(
      verified: VerifiedSignIn,
      cookieHeader: string | undefined,
    ): Promise<BrowserOutcome> {
      const outcome = await signIn.asCookie(verified);
      if (outcome.mfa !== undefined) return outcome;
      return replaceSessions(outcome, cookieHeader, verified);
    },

    /**
     * Completes a browser's sign-in with the second factor. Throws the errors of
     * `signIn.completeAsCookie`.
     */
    async complete(
      token: string,
      factor: MfaFactor,
      cookieHeader: string | undefined,
      from: RequestOrigin,
    ): Promise<BrowserSignedIn> {
      const outcome = await signIn.completeAsCookie(token, factor, from);
      return replaceSessions(outcome, cookieHeader, from);
    },
  };

  /**
   * Ends the sessions of the browser's cookies, which an attacker may have set (session fixation).
   */
  async function replaceSessions(
    { user, isNew, session }: SignedIn & { session: CookieSession },
    cookieHeader: string | undefined,
    from: RequestOrigin,
  ): Promise<BrowserSignedIn> {
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
}

export type BrowserSignIn = ReturnType<typeof createBrowserSignIn>;
