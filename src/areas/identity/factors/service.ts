import { retryAfter } from '../../../platform/errors/errors.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import { codeErrors } from '../code-errors.ts';
import { readOneTimeCode } from '../entered-codes.ts';
import type { AssertionCredential, PasskeyRequestOptions } from './passkeys/webauthn-schemas.ts';
import { type AttemptSource, createAttempts } from './attempts.ts';
import { createBackupCodes } from './backup-codes/service.ts';
import type { FactorParts } from './context.ts';
import type { SessionAssurance } from './enrolled-factors.ts';
import { secondFactorErrors } from './errors.ts';
import type { FactorCheck, PasskeyInfo, Passkeys } from './passkeys/service.ts';
import { createTotp } from './totp.ts';

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

/**
 * The source of an attempt; `signInId` identifies the pending sign-in that the factor completes.
 */
interface FactorContext {
  by: Exclude<AttemptSource, object>;
  signInId?: string;
}

/**
 * Users' authenticator apps (RFC 6238), passkeys and backup codes. Attempts are counted together.
 */
export function createSecondFactor(parts: FactorParts, passkeys: Passkeys) {
  const { redis, store, factors, knownDevices, record, onUse } = parts;
  const attempts = createAttempts(redis);
  const { isRightTotp, ...totp } = createTotp(parts);
  const { isRightBackupCode, ...backupCodes } = createBackupCodes(parts);
  return {
    ...factors,
    ...totp,
    ...backupCodes,

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
      const app = factor && {
        verified: factor.verifiedAt !== null,
        createdAt: factor.createdAt,
        lastUsedAt: factor.lastUsedAt,
      };
      return {
        isEnabled: app?.verified === true || registered.length > 0,
        totp: app,
        passkeys: registered,
        backupCodes: { left: codes.length, generatedAt: codes[0]?.createdAt ?? null },
      };
    },
  };

  async function verify(
    userId: string,
    factor: MfaFactor,
    requestSource: RequestSource,
    { by, signInId = '' }: FactorContext,
  ): Promise<string> {
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
  }

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
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;
