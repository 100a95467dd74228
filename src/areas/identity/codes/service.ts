import type { Identifier } from '../../../lib/identifiers.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import type { AuditEntry } from '../../audit/service.ts';
import type { User } from '../users/model.ts';
import { type CodeContext, type CodeUse, type EnteredCode, signInUse } from './context.ts';
import { sendCode } from './send.ts';
import { verifyCode } from './verify.ts';

/**
 * One-time codes by SMS and email. Responses reveal neither whether the identifier belongs to a
 * user nor whether a message was sent. Known devices, which have signed in with the identifier
 * before, users who ask for a code to a new address, and all unknown devices together have their
 * own codes, attempts, locks and messages, so that none can use up those of another.
 */
export function createOtp(context: CodeContext) {
  return {
    /**
     * Sends a code, and invalidates the previous one of the same client or asker. The default use
     * is signing in. Throws `otp.too_many_attempts`, `otp.rate_limited`, `otp.budget`.
     */
    send: (identifier: Identifier, source: RequestSource, use: CodeUse = signInUse) =>
      sendCode(context, identifier, source, use),

    /**
     * Resolves when the code is right; each code works once. Throws `otp.invalid` for a code that
     * is wrong, expired, used, was never sent or is for another use, `otp.too_many_attempts`, and a
     * RequestValidationError, without an attempt, for anything but a code.
     */
    verify: (
      identifier: Identifier,
      entered: EnteredCode,
      source: RequestSource,
      use: CodeUse = signInUse,
    ) => verifyCode(context, identifier, entered, source, use),

    /** The HMAC by which the audit log names an address or number. */
    hashOf: context.hashes.identifierHash,

    reopen,

    /**
     * Reopens the codes of a user who has signed in another way (NIST SP 800-63B-4 §3.2.2), or from
     * a known device.
     */
    async reopenFor({ id, identities }: User, source: RequestSource): Promise<void> {
      const actor = { kind: 'user', id } as const;
      await Promise.all(
        identities.flatMap(({ kind, key }) =>
          kind === 'idp' ? [] : [reopen({ kind, key }, actor, source)],
        ),
      );
    },
  };

  /**
   * Reopens codes that too many wrong guesses have closed. Returns false when they were open.
   */
  async function reopen(
    identifier: Pick<Identifier, 'kind' | 'key'>,
    actor: AuditEntry['actor'],
    { address, requestId }: RequestSource,
  ): Promise<boolean> {
    const id = context.hashes.identifierHash(identifier);
    const isReopened = await context.codes.reopen(id);
    const target = { kind: 'identifier', id };
    if (isReopened)
      await context.audit.record({
        action: 'otp.reopened',
        actor,
        target,
        address,
        requestId,
      });
    return isReopened;
  }
}

export type Otp = ReturnType<typeof createOtp>;
