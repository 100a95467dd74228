import { AppError } from '../../platform/errors/errors.ts';
import { codeErrors } from '../../platform/identity/code-errors.ts';
import type { Origin } from '../../platform/http/request-origin.ts';
import type { Audit } from '../../areas/audit/service.ts';
import type { SessionRecord } from '../../areas/auth/session-records.ts';
import type { Session, Sessions } from '../../areas/auth/sessions.ts';
import type { FactorRemoval } from '../../areas/second-factor/factor-removal.ts';
import { parseAttestation, parsePasskeyName } from '../../areas/second-factor/passkey-input.ts';
import type { Passkeys } from '../../areas/second-factor/passkeys.ts';
import type { SecondFactor, SecondFactorStatus } from '../../areas/second-factor/service.ts';
import type { PasskeyForm } from './schemas.ts';

export interface AccountDeps {
  sessions: Pick<Sessions, 'list' | 'end' | 'endAll'>;
  secondFactor: SecondFactor;
  passkeys: Passkeys;
  factorRemoval: FactorRemoval;
  audit: Pick<Audit, 'record'>;
}

/** What a person sees of the own account. */
export interface AccountView {
  session: Session;
  /** Newest first. */
  sessions: readonly SessionRecord[];
  factor: SecondFactorStatus;
  /** The only origin where passkeys work; undefined when there can be none. */
  passkeyOrigin: string | undefined;
}

/** `codes`: the first backup codes. */
export type Confirmed = { isRight: false } | { isRight: true; codes: readonly string[] };

/** What a person does with the own account. */
export function createAccount({
  sessions,
  secondFactor,
  passkeys,
  factorRemoval,
  audit,
}: AccountDeps) {
  function note(
    action: 'session.revoked' | 'session.revoked_all',
    { userId }: Session,
    target: { kind: string; id: string },
    { address, requestId }: Origin,
  ): Promise<void> {
    return audit.record({
      action,
      actor: { kind: 'user', id: userId },
      target,
      address,
      requestId,
    });
  }

  const isWrong = (error: unknown): boolean =>
    error instanceof AppError && error.code === 'otp.invalid';

  /**
   * The first second factor ends the other sessions, and brings backup codes to whoever has none:
   * the factor was just seen.
   */
  async function firstCodes({ userId, id }: Session, from: Origin): Promise<Confirmed> {
    await sessions.endAll(userId, id);
    const { backupCodes } = await secondFactor.statusOf(userId);
    return {
      isRight: true,
      codes: backupCodes.left > 0 ? [] : (await secondFactor.newBackupCodes(userId, from)).codes,
    };
  }

  return {
    async view(session: Session): Promise<AccountView> {
      const [all, factor] = await Promise.all([
        sessions.list(session.userId),
        secondFactor.statusOf(session.userId),
      ]);
      return { session, sessions: all, factor, passkeyOrigin: passkeys.origin };
    },

    /** Ends one of the person's sessions; one that has ended already is no mistake. */
    async endSession(session: Session, id: string, from: Origin): Promise<void> {
      if (await sessions.end(session.userId, id))
        await note('session.revoked', session, { kind: 'session', id }, from);
    },

    async endOthers(session: Session, from: Origin): Promise<void> {
      await sessions.endAll(session.userId, session.id);
      await note('session.revoked_all', session, { kind: 'user', id: session.userId }, from);
    },

    /**
     * A new secret for an authenticator app, as its URI. Throws `second_factor.already_enrolled`,
     * `.aal2_required`.
     */
    async beginTotp({ userId, user, acr }: Session): Promise<string> {
      return (await secondFactor.enrolTotp(userId, user.email ?? user.phone ?? userId, acr)).uri;
    },

    /**
     * Sets the app up, and ends the other sessions. Whoever has no backup codes gets some now: the
     * app was just seen. Throws `second_factor.not_enrolled`, `.already_enrolled`,
     * `otp.too_many_attempts`.
     */
    async confirmTotp(session: Session, code: string, from: Origin): Promise<Confirmed> {
      try {
        await secondFactor.confirmTotp(session.userId, code.replace(/\s/g, ''), from, session.acr);
      } catch (error) {
        if (isWrong(error)) return { isRight: false };
        throw error;
      }
      return firstCodes(session, from);
    },

    /**
     * Adds the passkey that the browser has made, and does as `confirmTotp` does.
     * Throws `second_factor.aal2_required`, `.too_many_passkeys`, `.passkeys_unavailable`.
     */
    async addPasskey(
      session: Session,
      { credential: text, name }: PasskeyForm,
      from: Origin,
    ): Promise<Confirmed> {
      try {
        const credential = parseAttestation(text);
        if (credential === undefined) throw codeErrors.invalid();
        await passkeys.enrol(session, credential, parsePasskeyName(name) ?? from.client, from);
      } catch (error) {
        if (isWrong(error)) return { isRight: false };
        throw error;
      }
      return firstCodes(session, from);
    },

    /**
     * Takes a passkey away, and ends the other sessions. Throws `second_factor.aal2_required`,
     * `.passkey_not_found`.
     */
    async removePasskey(session: Session, id: string, from: Origin): Promise<void> {
      await passkeys.remove(session, id, from);
      await factorRemoval(session, from);
    },

    /**
     * Takes the app away, and ends the other sessions. Throws `second_factor.aal2_required`,
     * `.not_enrolled`.
     */
    async removeTotp(session: Session, from: Origin): Promise<void> {
      await secondFactor.requireSecondFactor(session);
      await secondFactor.removeTotp(session.userId, from);
      await factorRemoval(session, from);
    },

    /** Ten new codes, shown this once. Throws `second_factor.aal2_required`. */
    async newBackupCodes(session: Session, from: Origin): Promise<readonly string[]> {
      await secondFactor.requireSecondFactor(session);
      return (await secondFactor.newBackupCodes(session.userId, from)).codes;
    },
  };
}

export type Account = ReturnType<typeof createAccount>;
