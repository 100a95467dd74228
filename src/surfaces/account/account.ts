import { AppError } from '../../platform/errors/errors.ts';
import { codeErrors } from '../../areas/identity/code-errors.ts';
import { isMalformedCode } from '../../areas/identity/entered-codes.ts';
import type { RequestOrigin } from '../../platform/http/requests/request-origin.ts';
import type { Audit } from '../../areas/audit/service.ts';
import type { SessionRecord } from '../../areas/identity/sessions/records.ts';
import type { Session, Sessions } from '../../areas/identity/sessions/service.ts';
import type { FactorRemoval } from '../../areas/identity/resets/access-ending.ts';
import {
  parseAttestation,
  parsePasskeyName,
} from '../../areas/identity/factors/passkeys/passkey-input.ts';
import type { Passkeys } from '../../areas/identity/factors/passkeys/service.ts';
import type { FactorResets } from '../../areas/identity/resets/service.ts';
import type { FactorReset } from '../../areas/identity/resets/store.ts';
import type { SecondFactor, SecondFactorStatus } from '../../areas/identity/factors/service.ts';
import type { OwnAccountServices } from '../../areas/identity/account/compose.ts';
import type { ExportView, OwnAccount } from '../../areas/identity/account/schemas.ts';
import type { PasskeyForm } from './schemas.ts';

export interface AccountDeps {
  sessions: Pick<Sessions, 'list' | 'end' | 'endAll'>;
  secondFactor: SecondFactor;
  passkeys: Passkeys;
  factorRemoval: FactorRemoval;
  audit: Pick<Audit, 'record'>;
  ownAccount: OwnAccountServices;
  factorResets: Pick<FactorResets, 'latest'>;
}

/** What the account page shows. */
export interface AccountView {
  session: Session;
  /** Newest first. */
  sessions: readonly SessionRecord[];
  factor: SecondFactorStatus;
  /** The open or else the last 2FA reset. */
  reset: FactorReset | undefined;
  /** The only origin where passkeys work; undefined if there is none. */
  passkeyOrigin: string | undefined;
  profile: OwnAccount;
  /** Path of the uploaded picture. */
  picture: string | undefined;
  dataExport: ExportView;
}

/** `codes`: new backup codes; empty if the user has some left. */
type Confirmed =
  { isRight: false; problem: 'wrong' | 'malformed' } | { isRight: true; codes: readonly string[] };

const isWrongCode = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'otp.invalid';

/** Shows and ends the user's own sessions. */
function createSessionActions({
  sessions,
  secondFactor,
  passkeys,
  audit,
  ownAccount,
  factorResets,
}: Omit<AccountDeps, 'factorRemoval'>) {
  function recordAudit(
    action: 'session.revoked' | 'session.revoked_all',
    { userId }: Session,
    target: { kind: string; id: string },
    { address, requestId }: RequestOrigin,
  ): Promise<void> {
    const actor = { kind: 'user', id: userId } as const;
    return audit.record({ action, actor, target, address, requestId });
  }

  return {
    async view(session: Session): Promise<AccountView> {
      const { userId } = session;
      const { profiles, avatars, exports } = ownAccount;
      const [all, factor, reset, profile, picture, dataExport] = await Promise.all([
        sessions.list(userId),
        secondFactor.statusOf(userId),
        factorResets.latest(userId),
        profiles.show(userId),
        avatars.pathOf(userId),
        exports.state(userId),
      ]);
      const passkeyOrigin = passkeys.origin;
      return { session, sessions: all, factor, reset, passkeyOrigin, profile, picture, dataExport };
    },

    /** Ends one of the user's sessions. A session that has already ended is not an error. */
    async endSession(session: Session, id: string, from: RequestOrigin): Promise<void> {
      if (await sessions.end(session.userId, id))
        await recordAudit('session.revoked', session, { kind: 'session', id }, from);
    },

    async endOthers(session: Session, from: RequestOrigin): Promise<void> {
      await sessions.endAll(session.userId, session.id);
      await recordAudit('session.revoked_all', session, { kind: 'user', id: session.userId }, from);
    },
  };
}

/** Sets up second factors. Each ends the other sessions. */
function createEnrolment({
  sessions,
  secondFactor,
  passkeys,
}: Pick<AccountDeps, 'sessions' | 'secondFactor' | 'passkeys'>) {
  /** Ends the other sessions, and creates backup codes if the user has none left. */
  async function finishEnrolment({ userId, id }: Session, from: RequestOrigin): Promise<Confirmed> {
    await sessions.endAll(userId, id);
    const { backupCodes } = await secondFactor.statusOf(userId);
    if (backupCodes.left > 0) return { isRight: true, codes: [] };
    return { isRight: true, codes: (await secondFactor.newBackupCodes(userId, from)).codes };
  }

  return {
    /**
     * Returns the URI of a new secret for an authenticator app. Throws
     * `second_factor.already_enrolled`, `.aal2_required`.
     */
    async beginTotp({ userId, user, acr }: Session): Promise<string> {
      return (await secondFactor.enrolTotp(userId, user.email ?? user.phone ?? userId, acr)).uri;
    },

    /**
     * Confirms the app by its first code. Throws `second_factor.not_enrolled`, `.already_enrolled`,
     * `otp.too_many_attempts`.
     */
    async confirmTotp(session: Session, code: string, from: RequestOrigin): Promise<Confirmed> {
      try {
        await secondFactor.confirmTotp(session.userId, code, from, session.acr);
      } catch (error) {
        if (isMalformedCode(error)) return { isRight: false, problem: 'malformed' };
        if (isWrongCode(error)) return { isRight: false, problem: 'wrong' };
        throw error;
      }
      return finishEnrolment(session, from);
    },

    /**
     * Adds the passkey that the browser has created. Throws `second_factor.aal2_required`,
     * `.too_many_passkeys`, `.passkeys_unavailable`.
     */
    async addPasskey(
      session: Session,
      { credential: text, name }: PasskeyForm,
      from: RequestOrigin,
    ): Promise<Confirmed> {
      try {
        const credential = parseAttestation(text);
        if (credential === undefined) throw codeErrors.invalid();
        await passkeys.enrol(session, credential, parsePasskeyName(name) ?? from.client, from);
      } catch (error) {
        if (isWrongCode(error)) return { isRight: false, problem: 'wrong' };
        throw error;
      }
      return finishEnrolment(session, from);
    },
  };
}

/** Removes factors, which ends the other sessions. All throw `second_factor.aal2_required`. */
function createRemoval({
  secondFactor,
  passkeys,
  factorRemoval,
}: Pick<AccountDeps, 'secondFactor' | 'passkeys' | 'factorRemoval'>) {
  return {
    /** Throws `second_factor.passkey_not_found`. */
    async removePasskey(session: Session, id: string, from: RequestOrigin): Promise<void> {
      await passkeys.remove(session, id, from);
      await factorRemoval(session, from);
    },

    /** Throws `second_factor.not_enrolled`. */
    async removeTotp(session: Session, from: RequestOrigin): Promise<void> {
      await secondFactor.requireSecondFactor(session);
      await secondFactor.removeTotp(session.userId, from);
      await factorRemoval(session, from);
    },

    /** Returns ten new codes, which are shown only once. */
    async newBackupCodes(session: Session, from: RequestOrigin): Promise<readonly string[]> {
      await secondFactor.requireSecondFactor(session);
      return (await secondFactor.newBackupCodes(session.userId, from)).codes;
    },
  };
}

/** Everything that users do with their own account. */
export const createAccount = (deps: AccountDeps) => ({
  ...createSessionActions(deps),
  ...createEnrolment(deps),
  ...createRemoval(deps),
});

export type Account = ReturnType<typeof createAccount>;
