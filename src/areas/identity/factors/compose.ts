import { createSeal } from '../../../lib/secrets/seal.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { Users } from '../users/service.ts';
import { createAttempts } from './attempts.ts';
import { createEnrolledFactors } from './enrolled-factors.ts';
import { createFactorLog, type OnFactorUse } from './factor-log.ts';
import { createPasskeyChallenges } from './passkeys/challenges.ts';
import { createPasskeyStore } from './passkeys/store.ts';
import { createPasskeys, passkeyTimeoutMs } from './passkeys/service.ts';
import { relyingPartyOf } from './passkeys/relying-party.ts';
import { createSecondFactor } from './service.ts';
import { createSecondFactorStore } from './store.ts';

/** Authenticator apps, backup codes and passkeys. */
export function composeSecondFactor(
  { config, clock, db, redis, keys, baseUrl }: Resources,
  {
    audit,
    knownDevices,
    users,
    onUse,
  }: { audit: Audit; knownDevices: KnownDevices; users: Users; onUse: OnFactorUse },
) {
  const store = createSecondFactorStore(db);
  const factors = createEnrolledFactors(store, users.requireNoReviewAccount);
  const record = createFactorLog(audit);
  const passkeys = createPasskeys({
    store: createPasskeyStore(db),
    challenges: createPasskeyChallenges(redis, passkeyTimeoutMs),
    factors,
    record,
    onUse,
    clock,
    relyingParty: relyingPartyOf(baseUrl, config.APP_NAME, config.APP_ORIGINS),
  });
  const secondFactor = createSecondFactor({
    store,
    factors,
    passkeys,
    attempts: createAttempts(redis),
    knownDevices,
    record,
    onUse,
    clock,
    seal: createSeal(keys('totp')),
    pepper: keys('backup-codes'),
    appName: config.APP_NAME,
  });
  return { passkeys, secondFactor };
}
