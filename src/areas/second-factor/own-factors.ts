import { secondFactorErrors } from './errors.ts';
import type { MfaMethod } from './service.ts';
import type { SecondFactorStore } from './store.ts';

/** A session, as far as changes to second factors go. */
export interface Own {
  userId: string;
  acr: 'aal1' | 'aal2';
}

/** Whether people have a second factor, of whatever kind. */
export function createOwnFactors(store: Pick<SecondFactorStore, 'factorsOf'>) {
  return {
    /**
     * What the person must choose from after the first factor; empty when there is no second one.
     * Backup codes alone are none.
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

    /** Whoever has a second factor changes it with it. Throws `second_factor.aal2_required`. */
    async requireOwn({ userId, acr }: Own): Promise<void> {
      if (acr === 'aal2') return;
      const { hasTotp, hasPasskey } = await store.factorsOf(userId);
      if (hasTotp || hasPasskey) throw secondFactorErrors.aal2_required();
    },
  };
}

export type OwnFactors = ReturnType<typeof createOwnFactors>;
