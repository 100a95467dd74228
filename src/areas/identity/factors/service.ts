import type { Clock } from '../../../lib/clock.ts';
import type { Seal } from '../../../lib/secrets/seal.ts';
import { retryAfter } from '../../../platform/errors/errors.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import { codeErrors } from '../code-errors.ts';
import { readOneTimeCode } from '../entered-codes.ts';
import type { AssertionCredential, PasskeyRequestOptions } from './passkeys/webauthn-schemas.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { Attempts, AttemptSource } from './attempts.ts';
import { createBackupCodeCheck, createBackupCodes } from './backup-codes/service.ts';
import type { EnrolledFactors, SessionAssurance } from './enrolled-factors.ts';
import { secondFactorErrors } from './errors.ts';
import type { OnFactorUse, RecordFactor } from './factor-log.ts';
import type { FactorCheck, PasskeyInfo, Passkeys } from './passkeys/service.ts';
import type { SecondFactorStore } from './store.ts';
import { createTotpCheck, createTotpEnrolment } from './totp.ts';

/** A second factor as the user presents it. */
export type MfaFactor =
  | { method: 'totp' | 'backup_code'; code: string }
  | { method: 'passkey'; credential: AssertionCredential };
export type MfaMethod = MfaFactor['method'];

export interface SecondFactorStatus {
  /** Whether a sign-in needs a second factor. */
  isEnabled: boolean;
  totp: { verified: boolean; createdAt: Date; lastUsedAt: Date | null } | undefined;
  /** Oldest first. */
  passkeys: readonly PasskeyInfo[];
  backupCodes: { left: number; generatedAt: Date | null };
}

export interface SecondFactorDeps {
  store: SecondFactorStore;
  factors: EnrolledFactors;
  passkeys: Pick<Passkeys, 'listOf' | 'check' | 'requestOptions'>;
  attempts: Attempts;
  knownDevices: Pick<KnownDevices, 'deviceFor'>;
  record: RecordFactor;
  onUse: OnFactorUse;
  seal: Seal;
  /** 32 bytes; backup codes are hashed with it. */
  pepper: Buffer;
  clock: Clock;
  /** The issuer that authenticator apps show. */
  appName: string;
}

/**
 * The source of an attempt; `signInId` identifies the pending sign-in that the factor completes.
 */
interface FactorContext {
  by: Exclude<AttemptSource, object>;
  signInId?: string;
}

/** Creates the function that checks a factor, counts the attempt and returns the `amr` value. */
function createVerification(deps: SecondFactorDeps) {
  const { passkeys, attempts, knownDevices, record, onUse } = deps;
  const isRightTotp = createTotpCheck(deps);
  const isRightBackupCode = createBackupCodeCheck(deps);

  async function check(userId: string, factor: MfaFactor, signInId: string): Promise<FactorCheck> {
    if (factor.method === 'passkey') return passkeys.check(userId, signInId, factor.credential);
    if (factor.method === 'totp')
      return { isRight: await isRightTotp(userId, factor.code), amr: 'otp' };
    return { isRight: await isRightBackupCode(userId, factor.code), amr: 'backup_code' };
  }

  async function sourceOf(
    userId: string,
    { deviceTokens }: RequestSource,
    by: FactorContext['by'],
  ): Promise<AttemptSource> {
    if (by === 'session') return by;
    const device = await knownDevices.deviceFor(deviceTokens, { kind: 'user', key: userId });
    return device === undefined ? by : { device };
  }

  return async (
    userId: string,
    factor: MfaFactor,
    requestSource: RequestSource,
    { by, signInId = '' }: FactorContext,
  ): Promise<string> => {
    const source = await sourceOf(userId, requestSource, by);
    const lockedMs = await attempts.begin(userId, source);
    if (lockedMs > 0) throw codeErrors.too_many_attempts(retryAfter(Math.ceil(lockedMs / 1000)));
    const { method } = factor;
    const checked = await check(userId, factor, signInId);
    if (!checked.isRight) {
      await record('second_factor.failed', userId, requestSource, method, checked.reason);
      throw codeErrors.invalid();
    }
    await attempts.clear(userId, source);
    const action = method === 'backup_code' ? 'backup_code.used' : 'second_factor.verified';
    await record(action, userId, requestSource, method);
    await onUse(userId, requestSource);
    return checked.amr;
  };
}

/**
 * Users' authenticator apps (RFC 6238), passkeys and backup codes. Attempts are counted together.
 */
export function createSecondFactor(deps: SecondFactorDeps) {
  const { store, factors, passkeys, record } = deps;
  const verify = createVerification(deps);

  return {
    ...factors,
    ...createTotpEnrolment(deps),
    ...createBackupCodes(deps),

    /**
     * Completes the enrolment with the app's first code. `acr` is the session's. Throws
     * `second_factor.not_enrolled`, `.already_enrolled`, `.aal2_required`, `otp.invalid`,
     * `otp.too_many_attempts`, a RequestValidationError for anything but a code.
     */
    async confirmTotp(
      userId: string,
      entered: string,
      requestSource: RequestSource,
      acr: SessionAssurance['acr'] = 'aal1',
    ): Promise<void> {
      const code = readOneTimeCode(entered);
      const factor = await store.totpOf(userId);
      if (factor === undefined) throw secondFactorErrors.not_enrolled();
      if (factor.verifiedAt !== null) throw secondFactorErrors.already_enrolled();
      await factors.requireSecondFactor({ userId, acr });
      await verify(userId, { method: 'totp', code }, requestSource, { by: 'session' });
      await record('second_factor.enrolled', userId, requestSource, 'totp');
    },

    /**
     * Checks a factor, and returns its authentication method (RFC 8176). Codes and passkey
     * assertions work once. Throws `otp.invalid`, `otp.too_many_attempts`.
     */
    verify,

    /** Throws `second_factor.passkey_not_found`, `.passkeys_unavailable`. */
    passkeyOptions: (userId: string, signInId: string): Promise<PasskeyRequestOptions> =>
      passkeys.requestOptions(userId, signInId),

    async statusOf(userId: string): Promise<SecondFactorStatus> {
      const [factor, codes, registered] = await Promise.all([
        store.totpOf(userId),
        store.unusedBackupCodes(userId),
        passkeys.listOf(userId),
      ]);
      const totp = factor && {
        verified: factor.verifiedAt !== null,
        createdAt: factor.createdAt,
        lastUsedAt: factor.lastUsedAt,
      };
      return {
        isEnabled: totp?.verified === true || registered.length > 0,
        totp,
        passkeys: registered,
        backupCodes: { left: codes.length, generatedAt: codes[0]?.createdAt ?? null },
      };
    },
  };
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;
