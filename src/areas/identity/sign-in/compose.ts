import { createSeal } from '../../../lib/secrets/seal.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Messages } from '../../comms/service.ts';
import type { Otp } from '../codes/service.ts';
import { clearedSessionCookies, sessionCookieValues } from '../sessions/cookies.ts';
import {
  type BrowserSignInDeps,
  createBrowserCompletion,
  createBrowserSignIn,
} from './browser-sign-in.ts';
import { createCodeSignIn } from './codes/service.ts';
import { createBackupCodeSignIn } from './factors/backup-code.ts';
import { createMfaTokens } from './mfa-tokens.ts';
import { createSignIn, type SignInDeps } from './service.ts';

interface SignInNeeds
  extends Omit<SignInDeps, 'mfaTokens'>, Omit<BrowserSignInDeps, 'isHttps' | 'signIn'> {
  audit: SignInDeps['audit'];
  knownDevices: SignInDeps['knownDevices'] & BrowserSignInDeps['knownDevices'];
  sessions: SignInDeps['sessions'];
  otp: Otp;
  messages: Messages;
}

/** Signing in: the only way to open a session from a verified identity. */
export function composeSignIn(
  { clock, redis, keys, isHttps }: Resources,
  { messages, ...needs }: SignInNeeds,
) {
  const mfaTokens = createMfaTokens({ seal: createSeal(keys('mfa')), redis, clock });
  const signIn = createSignIn({ ...needs, mfaTokens });
  const browser = { ...needs, signIn, isHttps };
  return {
    signIn,
    codeSignIn: createCodeSignIn({ otp: needs.otp, signIn }),
    backupCodeSignIn: createBackupCodeSignIn({ signIn, mfaTokens, messages, clock }),
    browserSignIn: createBrowserSignIn(browser),
    browserCompletion: createBrowserCompletion(browser),
    /** The session that Set-Cookie headers have just opened. */
    sessionOf: (setCookies: readonly string[]) =>
      needs.sessions.find(sessionCookieValues(setCookies.join('; '))[0] ?? '', 'cookie'),
    clearedCookies: clearedSessionCookies(isHttps),
  };
}
