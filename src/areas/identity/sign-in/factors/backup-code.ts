import { randomUUID } from 'node:crypto';
import { dayMs } from '../../../../lib/durations.ts';
import type { RequestOrigin } from '../../../../platform/http/requests/request-origin.ts';
import type { TokenResponse } from '../../claims-schemas.ts';
import { codeErrors } from '../../code-errors.ts';
import type { SignInParts } from '../context.ts';
import type { SignIn } from '../service.ts';
import type { User } from '../../users/model.ts';
import { texts } from '../../factors/texts/en/emails.ts';

export interface BackupCodeInput {
  userId: string;
  code: string;
  /** The token of the pending sign-in that the code completes, if any. */
  mfaToken: string | undefined;
}

/** Creates the function that signs in with a backup code, alone or as a second factor. */
export function createBackupCodeSignIn(
  { mfaTokens, messages, clock }: SignInParts,
  signIn: SignIn,
) {
  async function notify({ identities }: User): Promise<void> {
    const recipient =
      identities.find(({ kind }) => kind === 'email') ??
      identities.find(({ kind }) => kind === 'phone');
    if (recipient === undefined) return;
    await messages.send({
      channel: recipient.kind === 'email' ? 'email' : 'sms',
      to: recipient.value,
      template: 'account_notice',
      params: texts.backupCodeUsed,
      about: 'backup_code_used',
      key: randomUUID(),
      expiresAt: clock.now() + dayMs,
    });
  }

  return async (
    { userId, code, mfaToken }: BackupCodeInput,
    from: RequestOrigin,
  ): Promise<TokenResponse> => {
    if (mfaToken !== undefined) {
      // The token names the user; a different id next to it is a mistake or an attack.
      if (mfaTokens.read(mfaToken)?.userId !== userId) throw codeErrors.invalid();
      return signIn.completeAsBearer(mfaToken, { method: 'backup_code', code }, from);
    }
    const { user, response } = await signIn.withBackupCode(userId, code, from);
    // The user is signed in: a notice that can't be sent must not undo that.
    await notify(user).catch(() => undefined);
    return response;
  };
}

export type BackupCodeSignIn = ReturnType<typeof createBackupCodeSignIn>;
