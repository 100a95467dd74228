import { AppError } from '../../platform/errors/errors.ts';
import { codeErrors } from '../../areas/identity/code-errors.ts';
import { isMalformedCode } from '../../areas/identity/entered-codes.ts';
import type { RequestOrigin } from '../../platform/http/requests/request-origin.ts';
import type { SessionRecord } from '../../areas/identity/sessions/records.ts';
import type { Session } from '../../areas/identity/sessions/service.ts';
import {
  parseAttestation,
  parsePasskeyName,
} from '../../areas/identity/factors/passkeys/passkey-input.ts';
import type { FactorReset } from '../../areas/identity/resets/store.ts';
import type { SecondFactorStatus } from '../../areas/identity/factors/service.ts';
import type { ExportView, OwnAccount } from '../../areas/identity/account/schemas.ts';
import type { AccountNeeds } from './compose.ts';
import type { PasskeyForm } from './schemas.ts';

/** What the account page shows. */
export interface AccountView {
  session: Session;
  /** Newest first. */
  sessions: readonly SessionRecord[];
  /** Codes of the countries in which devices were last seen, by their ids. */
  countries: ReadonlyMap<string, string>;
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

/** Everything that users do with their own account. */
export function createAccountService({
  sessions,
  secondFactor,
  passkeys,
  factorRemoval,
  ownAccount,
  factorResets,
  devices,
}: AccountNeeds) {
  return {
    view,
    endSession,
    endOthers,
    beginTotp,
    confirmTotp,
    removeTotp,
    addPasskey,
    removePasskey,
    newBackupCodes,
  };

  async function view(session: Session): Promise<AccountView> {
    const { userId } = session;
    const { profiles, avatars, exports } = ownAccount;
    const [all, factor, reset, profile, picture, dataExport, own] = await Promise.all([
      sessions.list(userId),
      secondFactor.statusOf(userId),
      factorResets.latest(userId),
      profiles.show(userId),
      avatars.pathOf(userId),
      exports.state(userId),
      devices.management.listByUser(userId),
    ]);
    const countries = new Map(
      own.flatMap(({ id, country }) => (country === null ? [] : [[id, country] as const])),
    );
    const passkeyOrigin = passkeys.origin;
    const known = { session, sessions: all, countries, factor, reset, passkeyOrigin };
    return { ...known, profile, picture, dataExport };
  }

  /** Ends one of the user's sessions. A session that has already ended is not an error. */
  async function endSession(session: Session, id: string, from: RequestOrigin): Promise<void> {
    await sessions.endOwn(session.userId, id, from);
  }

  async function endOthers({ userId, id }: Session, from: RequestOrigin): Promise<void> {
    await sessions.endAllOwn(userId, from, id);
  }

  /**
   * Returns the URI of a new secret for an authenticator app. Throws
   * `second_factor.already_enrolled`, `.aal2_required`.
   */
  async function beginTotp({ userId, user, acr }: Session): Promise<string> {
    return (await secondFactor.enrolTotp(userId, user.email ?? user.phone ?? userId, acr)).uri;
  }

  /**
   * Confirms the app by its first code. Throws `second_factor.not_enrolled`, `.already_enrolled`,
   * `otp.too_many_attempts`.
   */
  async function confirmTotp(
    session: Session,
    code: string,
    from: RequestOrigin,
  ): Promise<Confirmed> {
    try {
      await secondFactor.confirmTotp(session.userId, code, from, session.acr);
    } catch (error) {
      if (isMalformedCode(error)) return { isRight: false, problem: 'malformed' };
      if (isWrongCode(error)) return { isRight: false, problem: 'wrong' };
      throw error;
    }
    return finishEnrolment(session, from);
  }

  /** Ends the other sessions. Throws `second_factor.aal2_required`, `.not_enrolled`. */
  async function removeTotp(session: Session, from: RequestOrigin): Promise<void> {
    await secondFactor.requireSecondFactor(session);
    await secondFactor.removeTotp(session.userId, from);
    await factorRemoval(session, from);
  }

  /**
   * Adds the passkey that the browser has created. Throws `second_factor.aal2_required`,
   * `.too_many_passkeys`, `.passkeys_unavailable`.
   */
  async function addPasskey(
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
  }

  /** Ends the other sessions. Throws `second_factor.aal2_required`, `.passkey_not_found`. */
  async function removePasskey(session: Session, id: string, from: RequestOrigin): Promise<void> {
    await passkeys.remove(session, id, from);
    await factorRemoval(session, from);
  }

  /** Returns ten new codes, which are shown only once. Throws `second_factor.aal2_required`. */
  async function newBackupCodes(session: Session, from: RequestOrigin): Promise<readonly string[]> {
    await secondFactor.requireSecondFactor(session);
    return (await secondFactor.newBackupCodes(session.userId, from)).codes;
  }

  /** Ends the other sessions, and creates backup codes if the user has none left. */
  async function finishEnrolment({ userId, id }: Session, from: RequestOrigin): Promise<Confirmed> {
    await sessions.endAll(userId, id);
    const { backupCodes } = await secondFactor.statusOf(userId);
    if (backupCodes.left > 0) return { isRight: true, codes: [] };
    return { isRight: true, codes: (await secondFactor.newBackupCodes(userId, from)).codes };
  }
}

export type AccountService = ReturnType<typeof createAccountService>;
