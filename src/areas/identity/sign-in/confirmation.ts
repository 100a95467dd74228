import { emailIdentifier, type Identifier, phoneIdentifier } from '../../../lib/identifiers.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { userActor } from '../../../platform/http/requests/request-actor.ts';
import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import { stepUpRequired } from '../../../platform/identity/freshness.ts';
import { codeErrors } from '../code-errors.ts';
import type { CodeUse } from '../codes/context.ts';
import { readFactorCode } from '../entered-codes.ts';
import type {
  AssertionCredential,
  PasskeyRequestOptions,
} from '../factors/passkeys/webauthn-schemas.ts';
import type { MfaFactor } from '../factors/service.ts';
import { authErrors } from '../sessions/errors.ts';
import type { Session } from '../sessions/service.ts';
import type { SignInParts } from './context.ts';

/** What a signed-in user is asked for, to confirm that it is them. */
export type ConfirmationRequest =
  | {
      by: 'code';
      /** The user's own address or number. */
      to: string;
      /** Undefined if an earlier code still counts, because it is too soon for another one. */
      verificationId: string | undefined;
    }
  | { by: 'factor'; hasApp: boolean; passkey: PasskeyRequestOptions | undefined };

/** What they answer. */
export type ConfirmationProof =
  { code: string; verificationId: string | undefined } | { credential: AssertionCredential };

/** A code confirms the session that asked for it, and never signs in. */
const useFor = ({ id, userId }: Session): CodeUse => ({
  purpose: `confirm:${id}`,
  template: 'sign_in_code',
  asker: userId,
});

const challengeOf = ({ id }: Session): string => `confirm:${id}`;

/**
 * Confirms in place that the person at a session is its user, which makes its sign-in recent again
 * (RFC 9470). Who has a second factor confirms with it: the session stands for the first one. All
 * others get a code to the address or number that they sign in with.
 */
export function createConfirmation({ users, sessions, secondFactor, otp, audit }: SignInParts) {
  return {
    /**
     * Sends a code, or returns what is needed to use a second factor. Throws the errors of
     * `otp.send`, and `auth.step_up_required` for users who can only sign in again.
     */
    async start(session: Session, from: RequestOrigin): Promise<ConfirmationRequest> {
      const { userId } = session;
      const methods = await secondFactor.methodsOf(userId);
      if (methods.length > 0) {
        const passkey = methods.includes('passkey')
          ? await secondFactor.passkeyOptions(userId, challengeOf(session)).catch(unavailable)
          : undefined;
        return { by: 'factor', hasApp: methods.includes('totp'), passkey };
      }
      const identifier = await identifierOf(userId);
      const to = identifier.value;
      try {
        const { verificationId } = await otp.send(identifier, from, useFor(session));
        return { by: 'code', to, verificationId };
      } catch (error) {
        if (error instanceof AppError && error.code === 'otp.rate_limited')
          return { by: 'code', to, verificationId: undefined };
        throw error;
      }
    },

    /**
     * Makes the session's sign-in recent. Throws `otp.invalid`, `otp.too_many_attempts`,
     * `auth.revoked_meanwhile` if the session has ended, and a RequestValidationError for
     * what is no code.
     */
    async confirm(session: Session, proof: ConfirmationProof, from: RequestOrigin): Promise<void> {
      const { userId, id } = session;
      const { amr, acr } = await verify(session, proof, from);
      const all = [...new Set([...session.amr, ...amr])];
      if (!(await sessions.confirm(userId, id, { amr: all, acr })))
        throw authErrors.revoked_meanwhile();
      await audit.record({
        ...userActor(userId, from),
        action: 'session.confirmed',
        target: { kind: 'session', id },
        details: { amr: [...amr] },
      });
    },
  };

  async function verify(session: Session, proof: ConfirmationProof, from: RequestOrigin) {
    const { userId } = session;
    const methods = await secondFactor.methodsOf(userId);
    if (methods.length > 0) {
      const factor = factorOf(proof);
      const context = { by: 'session', signInId: challengeOf(session) } as const;
      const method = await secondFactor.verify(userId, factor, from, context);
      return { amr: [method, 'mfa'], acr: 'aal2' as const };
    }
    if ('credential' in proof) throw codeErrors.invalid();
    const identifier = await identifierOf(userId);
    await otp.verify(identifier, proof, from, useFor(session));
    return { amr: ['otp'], acr: session.acr };
  }

  /** The address of the user, or else their number. Throws `auth.step_up_required` without one. */
  async function identifierOf(userId: string): Promise<Identifier> {
    const { identities } = await users.get(userId);
    const valueOf = (kind: 'email' | 'phone') =>
      identities.find((identity) => identity.kind === kind)?.value;
    const [email, phone] = [valueOf('email'), valueOf('phone')];
    const identifier =
      email === undefined
        ? phone === undefined
          ? undefined
          : await phoneIdentifier(phone)
        : emailIdentifier(email);
    if (identifier === undefined) throw stepUpRequired();
    return identifier;
  }
}

/** A backup code stands for a lost factor at a sign-in; two of one list confirm nothing. */
function factorOf(proof: ConfirmationProof): MfaFactor {
  if ('credential' in proof) return { method: 'passkey', credential: proof.credential };
  const { method, code } = readFactorCode(proof.code);
  if (method === 'backup_code') throw codeErrors.invalid();
  return { method, code };
}

/** Passkeys that do not work at this address leave the other factors. */
function unavailable(error: unknown): undefined {
  if (error instanceof AppError) return undefined;
  throw error;
}

export type Confirmation = ReturnType<typeof createConfirmation>;
