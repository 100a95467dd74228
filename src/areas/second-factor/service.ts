import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Seal } from '../../lib/seal.ts';
import { codeErrors } from '../../platform/errors.ts';
import type { Audit } from '../audit/service.ts';
import type { Attempts } from './attempts.ts';
import { backupCodeHash, isBackupCode, newBackupCode, readBackupCode } from './backup-codes.ts';
import { secondFactorErrors } from './errors.ts';
import type { SecondFactorStore, TotpFactor } from './store.ts';

export type MfaMethod = 'totp' | 'backup_code';

/** Who tries, for the audit log. */
export interface Asker {
  address: string;
  requestId: string;
}

export interface SecondFactorStatus {
  totp: { verified: boolean; createdAt: Date; lastUsedAt: Date | null } | undefined;
  backupCodes: { left: number; generatedAt: Date | null };
}

export interface SecondFactorDeps {
  store: SecondFactorStore;
  attempts: Attempts;
  audit: Pick<Audit, 'record'>;
  seal: Seal;
  /** 32 bytes; backup codes are hashed with it. */
  pepper: Buffer;
  clock: Clock;
  /** The name that authenticator apps show. */
  appName: string;
}

const periodSeconds = 30;
const codesAtOnce = 10;
const codeForm = /^[0-9]{6}$/;

/** Authenticator apps (RFC 6238) and backup codes of people. Tries of both are counted together. */
export function createSecondFactor({ store, attempts, audit, seal, pepper, clock, appName }: SecondFactorDeps) {
  type Noted = 'second_factor.enrolled' | 'second_factor.removed' | 'second_factor.verified' | 'second_factor.failed' | 'backup_codes.generated' | 'backup_code.used';
  function note(action: Noted, userId: string, { address, requestId }: Asker, method: MfaMethod): Promise<void> {
    const outcome = action === 'second_factor.failed' ? 'failure' : 'success';
    return audit.record({ action, outcome, actor: { kind: 'user', id: userId }, target: { kind: 'user', id: userId }, address, requestId, details: { method } });
  }

  async function stepOf(factor: TotpFactor, code: string): Promise<number | undefined> {
    const secret = seal.open(factor.sealedSecret);
    if (secret === undefined || !codeForm.test(code)) return undefined;
    const { verify } = await import('otplib');
    const result = await verify({ secret, token: code, epoch: Math.floor(clock.now() / 1000), epochTolerance: periodSeconds });
    return result.valid && 'timeStep' in result ? result.timeStep : undefined;
  }

  async function isRightTotp(userId: string, code: string): Promise<boolean> {
    const factor = await store.totpOf(userId);
    const step = factor === undefined ? undefined : await stepOf(factor, code);
    return factor !== undefined && step !== undefined && store.useStep(factor.id, step, new Date(clock.now()));
  }

  async function isRightBackupCode(userId: string, code: string): Promise<boolean> {
    const letters = readBackupCode(code);
    if (letters === undefined) return false;
    const match = (await store.unusedBackupCodes(userId)).find((each) => isBackupCode(pepper, each, letters));
    return match !== undefined && store.useBackupCode(match.id, new Date(clock.now()));
  }

  async function attempt(userId: string, asker: Asker, method: MfaMethod, isRight: () => Promise<boolean>): Promise<void> {
    const lockedMs = await attempts.begin(userId);
    if (lockedMs > 0) {
      const retryAfter = Math.ceil(lockedMs / 1000);
      throw codeErrors.too_many_attempts({ headers: { 'retry-after': String(retryAfter) }, extra: { retry_after: retryAfter } });
    }
    if (!(await isRight())) {
      await note('second_factor.failed', userId, asker, method);
      throw codeErrors.invalid();
    }
    await attempts.clear(userId);
    await note(method === 'totp' ? 'second_factor.verified' : 'backup_code.used', userId, asker, method);
  }

  return {
    /** What the person must choose from after the first factor; empty when there is no second one. */
    async methodsOf(userId: string): Promise<MfaMethod[]> {
      const factor = await store.totpOf(userId);
      return factor?.verifiedAt == null ? [] : ['totp', 'backup_code'];
    },

    /** Whoever has a second factor changes it with it. Throws `second_factor.aal2_required`. */
    async requireOwn({ userId, acr }: { userId: string; acr: 'aal1' | 'aal2' }): Promise<void> {
      const factor = await store.totpOf(userId);
      if (factor?.verifiedAt != null && acr !== 'aal2') throw secondFactorErrors.aal2_required();
    },

    async statusOf(userId: string): Promise<SecondFactorStatus> {
      const [factor, codes] = await Promise.all([store.totpOf(userId), store.unusedBackupCodes(userId)]);
      const totp = factor === undefined ? undefined : { verified: factor.verifiedAt !== null, createdAt: factor.createdAt, lastUsedAt: factor.lastUsedAt };
      return { totp, backupCodes: { left: codes.length, generatedAt: codes[0]?.createdAt ?? null } };
    },

    /** A new secret for an authenticator app; it counts once `confirmTotp` has seen a code. Throws `second_factor.already_enrolled`. */
    async enrolTotp(userId: string, label: string): Promise<{ secret: string; uri: string }> {
      const { generateSecret, generateURI } = await import('otplib');
      const secret = generateSecret();
      const isPut = await store.putTotp(userId, { id: randomUUID(), sealedSecret: seal.seal(secret), createdAt: new Date(clock.now()) });
      if (!isPut) throw secondFactorErrors.already_enrolled();
      return { secret, uri: generateURI({ issuer: appName, label, secret }) };
    },

    /** Throws `second_factor.not_enrolled`, `.already_enrolled`, `otp.invalid`, `otp.too_many_attempts`. */
    async confirmTotp(userId: string, code: string, asker: Asker): Promise<void> {
      const factor = await store.totpOf(userId);
      if (factor === undefined) throw secondFactorErrors.not_enrolled();
      if (factor.verifiedAt !== null) throw secondFactorErrors.already_enrolled();
      await attempt(userId, asker, 'totp', () => isRightTotp(userId, code));
      await note('second_factor.enrolled', userId, asker, 'totp');
    },

    /** Throws `second_factor.not_enrolled`. */
    async removeTotp(userId: string, asker: Asker): Promise<void> {
      if (!(await store.removeTotp(userId))) throw secondFactorErrors.not_enrolled();
      await note('second_factor.removed', userId, asker, 'totp');
    },

    /** Resolves when the code is right; it works once. Throws `otp.invalid`, `otp.too_many_attempts`. */
    verify: (userId: string, method: MfaMethod, code: string, asker: Asker): Promise<void> =>
      attempt(userId, asker, method, () => (method === 'totp' ? isRightTotp(userId, code) : isRightBackupCode(userId, code))),

    /** Ten new codes, shown this once; those before stop working. */
    async newBackupCodes(userId: string, asker: Asker): Promise<{ codes: string[]; generatedAt: Date }> {
      const generatedAt = new Date(clock.now());
      const codes = Array.from({ length: codesAtOnce }, newBackupCode);
      await store.replaceBackupCodes(userId, codes.map((code) => {
        const salt = randomBytes(16).toString('hex');
        return { id: randomUUID(), salt, hash: backupCodeHash(pepper, salt, readBackupCode(code) ?? ''), createdAt: generatedAt };
      }));
      await note('backup_codes.generated', userId, asker, 'backup_code');
      return { codes, generatedAt };
    },
  };
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;
