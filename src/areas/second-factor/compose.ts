import { createSeal } from '../../lib/secrets/seal.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Audit } from '../audit/service.ts';
import type { KnownDevices } from '../auth/known-devices.ts';
import type { MfaTokens } from '../auth/mfa-tokens.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { SignIn } from '../auth/sign-in.ts';
import type { Messages } from '../comms/service.ts';
import { createAttempts } from './attempts.ts';
import { createBackupCodeSignIn } from './backup-code-sign-in.ts';
import { createFactorRemoval, type FactorRemovalDeps } from './factor-removal.ts';
import { createNote } from './notes.ts';
import { createOwnFactors } from './own-factors.ts';
import { createPasskeyChallenges } from './passkey-challenges.ts';
import { createPasskeySignIn } from './passkey-sign-in.ts';
import { createPasskeyStore } from './passkey-store.ts';
import { createPasskeys, passkeyPatienceMs } from './passkeys.ts';
import { relyingPartyOf } from './relying-party.ts';
import { createSecondFactor } from './service.ts';
import { createSecondFactorStore } from './store.ts';

/** Authenticator apps, backup codes and passkeys. */
export function composeSecondFactor(
  { config, clock, db, redis, keys, baseUrl }: Resources,
  { audit, knownDevices }: { audit: Audit; knownDevices: KnownDevices },
) {
  const store = createSecondFactorStore(db);
  const own = createOwnFactors(store);
  const note = createNote(audit);
  const passkeys = createPasskeys({
    store: createPasskeyStore(db),
    challenges: createPasskeyChallenges(redis, passkeyPatienceMs),
    own,
    note,
    clock,
    relyingParty: relyingPartyOf(baseUrl, config.APP_NAME, config.APP_ORIGINS),
  });
  const secondFactor = createSecondFactor({
    store,
    own,
    passkeys,
    attempts: createAttempts(redis),
    knownDevices,
    note,
    clock,
    seal: createSeal(keys('totp')),
    pepper: keys('backup-codes'),
    appName: config.APP_NAME,
  });
  return { passkeys, secondFactor };
}

/** Signing in with a backup code or a passkey. */
export function composeFactorSignIn(
  { clock }: Resources,
  { signIn, mfaTokens, messages }: { signIn: SignIn; mfaTokens: MfaTokens; messages: Messages },
) {
  return {
    backupCodeSignIn: createBackupCodeSignIn({
      signIn,
      messages,
      clock,
      pendingUser: (token) => mfaTokens.read(token)?.userId,
    }),
    passkeySignIn: createPasskeySignIn({ signIn }),
  };
}

/** What follows when somebody removes a factor of their own. */
export const composeFactorRemoval = (needs: {
  sessions: Sessions;
  devices: FactorRemovalDeps['devices'];
}) => ({ factorRemoval: createFactorRemoval(needs) });
