import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { Seal } from '../../../lib/secrets/seal.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import type { EnrolledFactors, SessionAssurance } from './enrolled-factors.ts';
import { secondFactorErrors } from './errors.ts';
import type { RecordFactor } from './factor-log.ts';
import type { SecondFactorStore, TotpFactor } from './store.ts';

export interface TotpDeps {
  store: SecondFactorStore;
  factors: EnrolledFactors;
  record: RecordFactor;
  seal: Seal;
  clock: Clock;
  /** The issuer that authenticator apps show. */
  appName: string;
}

const periodSeconds = 30;
const codePattern = /^[0-9]{6}$/;

/** Creates the function that checks TOTP codes (RFC 6238). Each code works once. */
export function createTotpCheck({ store, seal, clock }: TotpDeps) {
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

  return async (userId: string, code: string): Promise<boolean> => {
    const factor = await store.totpOf(userId);
    const step = factor === undefined ? undefined : await stepOf(factor, code);
    if (factor === undefined || step === undefined) return false;
    return store.useStep(factor.id, step, new Date(clock.now()));
  };
}

/** Setting up and removing authenticator apps. */
export function createTotpEnrolment({ store, factors, record, seal, clock, appName }: TotpDeps) {
  return {
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
      return { secret, uri: generateURI({ issuer: appName, label, secret }) };
    },

    /** Throws `second_factor.not_enrolled`. */
    async removeTotp(userId: string, requestSource: RequestSource): Promise<void> {
      if (!(await store.removeTotp(userId))) throw secondFactorErrors.not_enrolled();
      await record('second_factor.removed', userId, requestSource, 'totp');
    },
  };
}
