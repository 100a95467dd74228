import { randomUUID } from 'node:crypto';
import { createSeal } from '../../../lib/secrets/seal.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import type { FactorParts } from './context.ts';
import type { SessionAssurance } from './enrolled-factors.ts';
import { secondFactorErrors } from './errors.ts';
import type { TotpFactor } from './store.ts';

const periodSeconds = 30;
const codePattern = /^[0-9]{6}$/;

/** Authenticator apps: setting up, removing, and checking their codes (RFC 6238). */
export function createTotp({ store, factors, record, keys, clock, brand }: FactorParts) {
  const seal = createSeal(keys('totp'));
  return {
    /** Whether a code is right. Each code works once. */
    isRightTotp: async (userId: string, code: string): Promise<boolean> => {
      const factor = await store.totpOf(userId);
      const step = factor === undefined ? undefined : await stepOf(factor, code);
      if (factor === undefined || step === undefined) return false;
      return store.useStep(factor.id, step, new Date(clock.now()));
    },

    /**
     * Creates a secret, which takes effect once `confirmTotp` accepts a code. `acr` is the
     * session's. Throws `second_factor.already_enrolled`, `.aal2_required`.
     */
    async enrolTotp(
      userId: string,
      label: string,
      acr: SessionAssurance['acr'] = 'aal1',
    ): Promise<{ secret: string; uri: string }> {
      const existing = await store.totpOf(userId);
      if (existing?.verifiedAt != null) throw secondFactorErrors.already_enrolled();
      await factors.requireSecondFactor({ userId, acr });
      const { generateSecret, generateURI } = await import('otplib');
      const secret = generateSecret();
      const isStored = await store.putTotp(userId, {
        id: randomUUID(),
        sealedSecret: seal.seal(secret),
        createdAt: new Date(clock.now()),
      });
      if (!isStored) throw secondFactorErrors.already_enrolled();
      return { secret, uri: generateURI({ issuer: brand().name, label, secret }) };
    },

    /** Throws `second_factor.not_enrolled`. */
    async removeTotp(userId: string, requestSource: RequestSource): Promise<void> {
      if (!(await store.removeTotp(userId))) throw secondFactorErrors.not_enrolled();
      await record('second_factor.removed', userId, requestSource, 'totp');
    },
  };

  /** The time step of a right code; undefined for a wrong one. */
  async function stepOf(factor: TotpFactor, code: string): Promise<number | undefined> {
    const secret = seal.open(factor.sealedSecret);
    if (secret === undefined || !codePattern.test(code)) return undefined;
    const { verify } = await import('otplib');
    const result = await verify({
      secret,
      token: code,
      epoch: Math.floor(clock.now() / 1000),
      epochTolerance: periodSeconds,
    });
    return result.valid && 'timeStep' in result ? result.timeStep : undefined;
  }
}
