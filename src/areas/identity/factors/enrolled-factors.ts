import { secondFactorErrors } from './errors.ts';
import type { MfaMethod } from './service.ts';
import type { SecondFactorStore } from './store.ts';

/** The part of a session that decides whether it may change second factors. */
export interface SessionAssurance {
  userId: string;
  acr: 'aal1' | 'aal2';
}

/**
 * Looks up users' second factors. `requireChangeable` throws for an account whose factors and ways
 * to sign in stay as they are.
 */
export function createEnrolledFactors(
  store: Pick<SecondFactorStore, 'factorsOf'>,
  requireChangeable: (userId: string) => Promise<void>,
) {
  return {
    /**
     * The methods to choose from after the first factor; empty without a second one. Backup codes
     * alone don't count.
     */
    async methodsOf(userId: string): Promise<MfaMethod[]> {
      const { hasTotp, hasPasskey } = await store.factorsOf(userId);
      if (!hasTotp && !hasPasskey) return [];
      return [
        ...(hasTotp ? ['totp' as const] : []),
        ...(hasPasskey ? ['passkey' as const] : []),
        'backup_code',
      ];
    },

    /**
     * Users with a second factor must have signed in with it to change factors or ways to sign in.
     * Throws `second_factor.aal2_required`, `users.review_account`.
     */
    async requireSecondFactor({ userId, acr }: SessionAssurance): Promise<void> {
      await requireChangeable(userId);
      if (acr === 'aal2') return;
      const { hasTotp, hasPasskey } = await store.factorsOf(userId);
      if (hasTotp || hasPasskey) throw secondFactorErrors.aal2_required();
    },
  };
}

export type EnrolledFactors = ReturnType<typeof createEnrolledFactors>;
