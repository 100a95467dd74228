import type { Resources } from '../../../platform/resources.ts';
import type { FactorNeeds } from './context.ts';
import { createEnrolledFactors } from './enrolled-factors.ts';
import { createFactorLog } from './factor-log.ts';
import { createPasskeys } from './passkeys/service.ts';
import { createSecondFactor } from './service.ts';
import { createSecondFactorStore } from './store.ts';

/** Authenticator apps, backup codes and passkeys. */
export function composeSecondFactor(resources: Resources, needs: FactorNeeds) {
  const store = createSecondFactorStore(resources.db);
  const parts = {
    ...resources,
    ...needs,
    store,
    factors: createEnrolledFactors(store, needs.users.requireNoReviewAccount),
    record: createFactorLog(needs.audit),
  };
  const passkeys = createPasskeys(parts);
  return { passkeys, secondFactor: createSecondFactor(parts, passkeys) };
}
