import { AppError } from '../../platform/errors.ts';
import type { Origin } from '../../platform/request-origin.ts';
import type { Audit } from '../audit/service.ts';
import type { SessionRecord } from '../auth/session-store.ts';
import type { Session, Sessions } from '../auth/sessions.ts';
import type { SecondFactor, SecondFactorStatus } from '../second-factor/service.ts';

export interface AccountDeps {
  sessions: Pick<Sessions, 'list' | 'end' | 'endAll'>;
  secondFactor: SecondFactor;
  audit: Pick<Audit, 'record'>;
}

/** What a person sees of the own account. */
export interface AccountView {
  session: Session;
  /** Newest first. */
  sessions: readonly SessionRecord[];
  factor: SecondFactorStatus;
}

/** `codes`: the first backup codes. */
export type Confirmed = { isRight: false } | { isRight: true; codes: readonly string[] };

/** What a person does with the own account. */
export function createAccount({ sessions, secondFactor, audit }: AccountDeps) {
  function note(action: 'session.revoked' | 'session.revoked_all', { userId }: Session, target: { kind: string; id: string }, { address, requestId }: Origin): Promise<void> {
    return audit.record({ action, actor: { kind: 'user', id: userId }, target, address, requestId });
  }

  return {
    async view(session: Session): Promise<AccountView> {
      const [all, factor] = await Promise.all([sessions.list(session.userId), secondFactor.statusOf(session.userId)]);
      return { session, sessions: all, factor };
    },

    /** Ends one of the person's sessions; one that has ended already is no mistake. */
    async endSession(session: Session, id: string, from: Origin): Promise<void> {
      if (await sessions.end(session.userId, id)) await note('session.revoked', session, { kind: 'session', id }, from);
    },

    async endOthers(session: Session, from: Origin): Promise<void> {
      await sessions.endAll(session.userId, session.id);
      await note('session.revoked_all', session, { kind: 'user', id: session.userId }, from);
    },

    /** A new secret for an authenticator app, as its URI. Throws `second_factor.already_enrolled`. */
    async beginTotp({ userId, user }: Session): Promise<string> {
      return (await secondFactor.enrolTotp(userId, user.email ?? user.phone ?? userId)).uri;
    },

    /**
     * Sets the app up, and ends the other sessions. Whoever has no backup codes gets some now: the app was just seen.
     * Throws `second_factor.not_enrolled`, `.already_enrolled`, `otp.too_many_attempts`.
     */
    async confirmTotp({ userId, id }: Session, code: string, from: Origin): Promise<Confirmed> {
      try {
        await secondFactor.confirmTotp(userId, code.replace(/\s/g, ''), from);
      } catch (error) {
        if (error instanceof AppError && error.code === 'otp.invalid') return { isRight: false };
        throw error;
      }
      await sessions.endAll(userId, id);
      const { backupCodes } = await secondFactor.statusOf(userId);
      return { isRight: true, codes: backupCodes.left > 0 ? [] : (await secondFactor.newBackupCodes(userId, from)).codes };
    },

    /** Takes the app away, and ends the other sessions. Throws `second_factor.aal2_required`, `.not_enrolled`. */
    async removeTotp(session: Session, from: Origin): Promise<void> {
      await secondFactor.requireOwn(session);
      await secondFactor.removeTotp(session.userId, from);
      await sessions.endAll(session.userId, session.id);
    },

    /** Ten new codes, shown this once. Throws `second_factor.aal2_required`. */
    async newBackupCodes(session: Session, from: Origin): Promise<readonly string[]> {
      await secondFactor.requireOwn(session);
      return (await secondFactor.newBackupCodes(session.userId, from)).codes;
    },
  };
}

export type Account = ReturnType<typeof createAccount>;
