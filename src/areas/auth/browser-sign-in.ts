import type { Origin } from '../../platform/http/request-origin.ts';
import type { Audit } from '../audit/service.ts';
import type { MfaFactor } from '../second-factor/service.ts';
import { sessionCookieHeaders, sessionCookieValues } from './cookies.ts';
import type { KnownDevices } from './known-devices.ts';
import type { Session, Sessions } from './sessions.ts';
import type { CookieSession, MfaDue, Proved, SignedIn, SignIn } from './sign-in.ts';

export interface BrowserSignInDeps {
  signIn: Pick<SignIn, 'asCookie' | 'completeAsCookie'>;
  sessions: Pick<Sessions, 'find' | 'end'>;
  audit: Pick<Audit, 'record'>;
  isHttps: boolean;
  knownDevices: Pick<KnownDevices, 'cookieWith'>;
  /** Puts the session on the device whose cookie came with the request. */
  bindDevice: (
    userId: string,
    sessionId: string,
    cookieHeader: string | undefined,
  ) => Promise<void>;
}

/** A browser that is in, by the cookies that it is to get. */
export type BrowserSignedIn = SignedIn & {
  mfa?: undefined;
  /** The Set-Cookie headers: its session's, and one by which it is known from now on, also when it has signed out. */
  setCookies: string[];
};

/** What becomes of a browser: cookies to set, or a second factor that is due. */
export type BrowserOutcome = { mfa: MfaDue } | BrowserSignedIn;

function createReplacement({
  sessions,
  audit,
  isHttps,
  bindDevice,
  knownDevices,
}: Omit<BrowserSignInDeps, 'signIn'>) {
  async function replace({ userId, id }: Session, { address, requestId }: Origin): Promise<void> {
    await sessions.end(userId, id);
    await audit.record({
      action: 'session.revoked',
      reason: 'session.replaced',
      actor: { kind: 'user', id: userId },
      target: { kind: 'session', id },
      address,
      requestId,
    });
  }

  return async (
    { user, isNew, session }: SignedIn & { session: CookieSession },
    cookieHeader: string | undefined,
    from: Origin,
  ): Promise<BrowserSignedIn> => {
    for (const value of sessionCookieValues(cookieHeader)) {
      const before = await sessions.find(value, 'cookie');
      if (before !== undefined) await replace(before, from);
    }
    await bindDevice(user.id, session.sessionId, cookieHeader);
    const deviceCookie = knownDevices.cookieWith({
      token: session.deviceToken,
      userId: user.id,
      presented: from.deviceTokens,
      isHttps,
    });
    return {
      user,
      isNew,
      setCookies: [
        ...sessionCookieHeaders(session.cookie, session.expiresAt, isHttps),
        deviceCookie,
      ],
    };
  };
}

/** Signs a browser in. Sessions of the cookies that it had before end, whoever put them there (session fixation). */
export function createBrowserSignIn({ signIn, ...deps }: BrowserSignInDeps) {
  const opened = createReplacement(deps);
  return async (proved: Proved, cookieHeader: string | undefined): Promise<BrowserOutcome> => {
    const outcome = await signIn.asCookie(proved);
    return outcome.mfa === undefined ? opened(outcome, cookieHeader, proved) : outcome;
  };
}

/** The second half of a browser's sign-in: the second factor. Throws as `signIn.completeAsCookie` does. */
export function createBrowserCompletion({ signIn, ...deps }: BrowserSignInDeps) {
  const opened = createReplacement(deps);
  return async (
    token: string,
    factor: MfaFactor,
    cookieHeader: string | undefined,
    from: Origin,
  ): Promise<BrowserSignedIn> =>
    opened(await signIn.completeAsCookie(token, factor, from), cookieHeader, from);
}

export type BrowserSignIn = ReturnType<typeof createBrowserSignIn>;
export type BrowserCompletion = ReturnType<typeof createBrowserCompletion>;
