import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import { dayMs } from '../../lib/durations.ts';
import { codeErrors } from '../../platform/identity/code-errors.ts';
import type { TokenResponse } from '../../platform/identity/claims-schemas.ts';
import type { Origin } from '../../platform/http/request-origin.ts';
import type { SignIn } from '../auth/sign-in.ts';
import type { Messages } from '../comms/service.ts';
import type { User } from '../users/store.ts';

export interface BackupCodeSignInDeps {
  signIn: SignIn;
  messages: Pick<Messages, 'send'>;
  clock: Clock;
  /** The person that a token's sign-in is of; undefined when it is no token. */
  pendingUser: (mfaToken: string) => string | undefined;
}

export type BackupCodeSignIn = (
  given: { userId: string; code: string; mfaToken: string | undefined },
  from: Origin,
) => Promise<TokenResponse>;

const noticeMs = dayMs;

/**
 * Signing in with a backup code, by itself or as the second factor of a sign-in that is under way.
 */
export function createBackupCodeSignIn({
  signIn,
  messages,
  clock,
  pendingUser,
}: BackupCodeSignInDeps): BackupCodeSignIn {
  async function tell(user: User): Promise<void> {
    const reached =
      user.identities.find(({ kind }) => kind === 'email') ??
      user.identities.find(({ kind }) => kind === 'phone');
    if (reached === undefined) return;
    const channel = reached.kind === 'email' ? 'email' : 'sms';
    const params = {
      headline: 'A backup code was used',
      body: 'Somebody signed in to your account with one of your backup codes. If it was not you, sign in and end all sessions.',
    };
    await messages.send({
      channel,
      to: reached.value,
      template: 'account_notice',
      params,
      key: randomUUID(),
      expiresAt: clock.now() + noticeMs,
    });
  }

  return async ({ userId, code, mfaToken }, from) => {
    if (mfaToken !== undefined) {
      // The token says whose sign-in it is; another user's id beside it is a mistake or a try.
      if (pendingUser(mfaToken) !== userId) throw codeErrors.invalid();
      return signIn.response(
        await signIn.completeAsBearer(mfaToken, { method: 'backup_code', code }, from),
      );
    }
    const opened = await signIn.withBackupCode(userId, code, from);
    // The person is in: a notice that can't be sent must not undo that.
    await tell(opened.user).catch(() => undefined);
    return signIn.response(opened);
  };
}
