import { cookieValues } from '../../lib/cookie-header.ts';
import type { Audit } from '../audit/service.ts';
import { sessionCookie, sessionCookieHeader } from './cookies.ts';
import type { Session, Sessions } from './sessions.ts';
import type { MfaDue, Proved, SignedIn, SignIn } from './sign-in.ts';

export interface BrowserSignInDeps {
  signIn: Pick<SignIn, 'asCookie'>;
  sessions: Pick<Sessions, 'find' | 'end'>;
  audit: Pick<Audit, 'record'>;
  isHttps: boolean;
}

/** What becomes of a browser: a cookie to set, or a second factor that is due. */
export type BrowserOutcome = { mfa: MfaDue } | (SignedIn & { mfa?: undefined; setCookie: string });

const mostCookies = 5;

/** Signs a browser in. Sessions of the cookies that it had before end, whoever put them there (session fixation). */
export function createBrowserSignIn({ signIn, sessions, audit, isHttps }: BrowserSignInDeps) {
  async function replace({ userId, id }: Session, { address, requestId }: Proved): Promise<void> {
    await sessions.end(userId, id);
    await audit.record({ action: 'session.revoked', reason: 'session.replaced', actor: { kind: 'user', id: userId }, target: { kind: 'session', id }, address, requestId });
  }

  return async (proved: Proved, cookieHeader: string | undefined): Promise<BrowserOutcome> => {
    const outcome = await signIn.asCookie(proved);
    if (outcome.mfa !== undefined) return outcome;
    for (const value of cookieValues(cookieHeader, sessionCookie).slice(0, mostCookies)) {
      const before = await sessions.find(value, 'cookie');
      if (before !== undefined) await replace(before, proved);
    }
    const { user, isNew, session } = outcome;
    return { user, isNew, setCookie: sessionCookieHeader(session.cookie, session.expiresAt, isHttps) };
  };
}

export type BrowserSignIn = ReturnType<typeof createBrowserSignIn>;
