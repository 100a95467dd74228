import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Seal } from '../../lib/secrets/seal.ts';
import { codeErrors } from '../../platform/identity/code-errors.ts';
import type { Asker } from '../../platform/http/request-origin.ts';
import type {
  AssertionCredential,
  PasskeyRequestOptions,
} from '../../platform/identity/webauthn-schemas.ts';
import type { KnownDevices } from '../auth/known-devices.ts';
import type { Attempts, TriedBy } from './attempts.ts';
import { backupCodeHash, isBackupCode, newBackupCode, readBackupCode } from './backup-codes.ts';
import { secondFactorErrors } from './errors.ts';
import type { Note } from './notes.ts';
import type { Own, OwnFactors } from './own-factors.ts';
import type { Checked, PasskeyInfo, Passkeys } from './passkeys.ts';
import type { SecondFactorStore, TotpFactor } from './store.ts';

/** A second factor as it is given. */
export type MfaFactor =
  | { method: 'totp' | 'backup_code'; code: string }
  | { method: 'passkey'; credential: AssertionCredential };
export type MfaMethod = MfaFactor['method'];

export interface SecondFactorStatus {
  /** Whether a sign-in needs one. */
  isEnabled: boolean;
  totp: { verified: boolean; createdAt: Date; lastUsedAt: Date | null } | undefined;
  /** Oldest first. */
  passkeys: readonly PasskeyInfo[];
  backupCodes: { left: number; generatedAt: Date | null };
}

export interface SecondFactorDeps {
  store: SecondFactorStore;
  own: OwnFactors;
  passkeys: Pick<Passkeys, 'listOf' | 'check' | 'requestOptions'>;
  attempts: Attempts;
  knownDevices: Pick<KnownDevices, 'deviceFor'>;
  note: Note;
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

/** Where a factor is given: `signInId` is of the sign-in that asks for it. */
export interface FactorFor {
  by: Exclude<TriedBy, object>;
  signInId?: string;
}

/**
 * Authenticator apps (RFC 6238), backup codes and passkeys of people. Tries of all are counted
 * together.
 */
export function createSecondFactor({
  store,
  own,
  passkeys,
  attempts,
  knownDevices,
  note,
  seal,
  pepper,
  clock,
  appName,
}: SecondFactorDeps) {
  async function stepOf(factor: TotpFactor, code: string): Promise<number | undefined> {
    const secret = seal.open(factor.sealedSecret);
    if (secret === undefined || !codeForm.test(code)) return undefined;
    const { verify } = await import('otplib');
    const result = await verify({
      secret,
      token: code,
      epoch: Math.floor(clock.now() / 1000),
      epochTolerance: periodSeconds,
    });
    return result.valid && 'timeStep' in result ? result.timeStep : undefined;
  }

  async function isRightTotp(userId: string, code: string): Promise<boolean> {
    const factor = await store.totpOf(userId);
    const step = factor === undefined ? undefined : await stepOf(factor, code);
    return (
      factor !== undefined &&
      step !== undefined &&
      store.useStep(factor.id, step, new Date(clock.now()))
    );
  }

  async function isRightBackupCode(userId: string, code: string): Promise<boolean> {
    const letters = readBackupCode(code);
    if (letters === undefined) return false;
    const match = (await store.unusedBackupCodes(userId)).find((each) =>
      isBackupCode(pepper, each, letters),
    );
    return match !== undefined && store.useBackupCode(match.id, new Date(clock.now()));
  }

  async function check(userId: string, factor: MfaFactor, signInId: string): Promise<Checked> {
    if (factor.method === 'passkey') return passkeys.check(userId, signInId, factor.credential);
    if (factor.method === 'totp')
      return { isRight: await isRightTotp(userId, factor.code), amr: 'otp' };
    return { isRight: await isRightBackupCode(userId, factor.code), amr: 'backup_code' };
  }

  async function attempt(
    userId: string,
    asker: Asker,
    factor: MfaFactor,
    { by, signInId = '' }: FactorFor,
  ): Promise<string> {
    const device =
      by === 'session'
        ? undefined
        : await knownDevices.deviceFor(asker.deviceTokens, { kind: 'user', key: userId });
    const party = device === undefined ? by : { device };
    const lockedMs = await attempts.begin(userId, party);
    if (lockedMs > 0) {
      const retryAfter = Math.ceil(lockedMs / 1000);
      throw codeErrors.too_many_attempts({
        headers: { 'retry-after': String(retryAfter) },
        extra: { retry_after: retryAfter },
      });
    }
    const { method } = factor;
    const checked = await check(userId, factor, signInId);
    if (!checked.isRight) {
      await note('second_factor.failed', userId, asker, method, checked.reason);
      throw codeErrors.invalid();
    }
    await attempts.clear(userId, party);
    await note(
      method === 'backup_code' ? 'backup_code.used' : 'second_factor.verified',
      userId,
      asker,
      method,
    );
    return checked.amr;
  }

  return {
    ...own,

    async statusOf(userId: string): Promise<SecondFactorStatus> {
      const [factor, codes, held] = await Promise.all([
        store.totpOf(userId),
        store.unusedBackupCodes(userId),
        passkeys.listOf(userId),
      ]);
      const totp =
        factor === undefined
          ? undefined
          : {
              verified: factor.verifiedAt !== null,
              createdAt: factor.createdAt,
              lastUsedAt: factor.lastUsedAt,
            };
      const isEnabled = totp?.verified === true || held.length > 0;
      return {
        isEnabled,
        totp,
        passkeys: held,
        backupCodes: { left: codes.length, generatedAt: codes[0]?.createdAt ?? null },
      };
    },

    /**
     * A new secret for an authenticator app; it counts once `confirmTotp` has seen a code. `acr` is
     * the session's. Throws `second_factor.already_enrolled`, `.aal2_required`.
     */
    async enrolTotp(
      userId: string,
      label: string,
      acr: Own['acr'] = 'aal1',
    ): Promise<{ secret: string; uri: string }> {
      const before = await store.totpOf(userId);
      if (before?.verifiedAt != null) throw secondFactorErrors.already_enrolled();
      await own.requireOwn({ userId, acr });
      const { generateSecret, generateURI } = await import('otplib');
      const secret = generateSecret();
      const isPut = await store.putTotp(userId, {
        id: randomUUID(),
        sealedSecret: seal.seal(secret),
        createdAt: new Date(clock.now()),
      });
      if (!isPut) throw secondFactorErrors.already_enrolled();
      return { secret, uri: generateURI({ issuer: appName, label, secret }) };
    },

    /**
     * `acr` is the session's. Throws `second_factor.not_enrolled`, `.already_enrolled`,
     * `.aal2_required`, `otp.invalid`, `otp.too_many_attempts`.
     */
    async confirmTotp(
      userId: string,
      code: string,
      asker: Asker,
      acr: Own['acr'] = 'aal1',
    ): Promise<void> {
      const factor = await store.totpOf(userId);
      if (factor === undefined) throw secondFactorErrors.not_enrolled();
      if (factor.verifiedAt !== null) throw secondFactorErrors.already_enrolled();
      await own.requireOwn({ userId, acr });
      await attempt(userId, asker, { method: 'totp', code }, { by: 'session' });
      await note('second_factor.enrolled', userId, asker, 'totp');
    },

    /** Throws `second_factor.not_enrolled`. */
    async removeTotp(userId: string, asker: Asker): Promise<void> {
      if (!(await store.removeTotp(userId))) throw secondFactorErrors.not_enrolled();
      await note('second_factor.removed', userId, asker, 'totp');
    },

    /**
     * Resolves when the factor is right, with what it was (RFC 8176); codes and what a passkey has
     * signed work once. Throws `otp.invalid`, `otp.too_many_attempts`.
     */
    verify: (userId: string, factor: MfaFactor, asker: Asker, given: FactorFor): Promise<string> =>
      attempt(userId, asker, factor, given),

    /**
     * What a passkey has to sign for the sign-in. Throws `second_factor.passkey_not_found`,
     * `.passkeys_unavailable`.
     */
    passkeyOptions: (userId: string, signInId: string): Promise<PasskeyRequestOptions> =>
      passkeys.requestOptions(userId, signInId),

    /** Ten new codes, shown this once; those before stop working. */
    async newBackupCodes(
      userId: string,
      asker: Asker,
    ): Promise<{ codes: string[]; generatedAt: Date }> {
      const generatedAt = new Date(clock.now());
      const codes = Array.from({ length: codesAtOnce }, newBackupCode);
      await store.replaceBackupCodes(
        userId,
        codes.map((code) => {
          const salt = randomBytes(16).toString('hex');
          return {
            id: randomUUID(),
            salt,
            hash: backupCodeHash(pepper, salt, readBackupCode(code) ?? ''),
            createdAt: generatedAt,
          };
        }),
      );
      await note('backup_codes.generated', userId, asker, 'backup_code');
      return { codes, generatedAt };
    },
  };
}

export type SecondFactor = ReturnType<typeof createSecondFactor>;
