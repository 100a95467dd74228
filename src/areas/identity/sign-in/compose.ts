import type { Resources } from '../../../platform/resources.ts';
import { clearedSessionCookies, sessionCookieValues } from '../sessions/cookies.ts';
import { createBrowserSignIn } from './browser-sign-in.ts';
import { createConfirmation } from './confirmation.ts';
import { createCodeSignIn } from './codes/service.ts';
import type { SignInNeeds } from './context.ts';
import { createBackupCodeSignIn } from './factors/backup-code.ts';
import { createMfaTokens } from './mfa-tokens.ts';
import { createSignIn } from './service.ts';

/** Signing in: the only way to open a session from a verified identity. */
export function composeSignIn(resources: Resources, needs: SignInNeeds) {
  const parts = { ...resources, ...needs, mfaTokens: createMfaTokens(resources) };
  const signIn = createSignIn(parts);
  return {
    signIn,
    codeSignIn: createCodeSignIn(parts, signIn),
    backupCodeSignIn: createBackupCodeSignIn(parts, signIn),
    browserSignIn: createBrowserSignIn(parts, signIn),
    confirmation: createConfirmation(parts),
    /** The session that Set-Cookie headers have just opened. */
    sessionOf: (setCookies: readonly string[]) =>
      needs.sessions.find(sessionCookieValues(setCookies.join('; '))[0] ?? '', 'cookie'),
    clearedCookies: clearedSessionCookies(resources.isHttps),
  };
}
