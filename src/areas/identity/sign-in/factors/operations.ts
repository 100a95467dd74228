import type { Clock } from '../../../../lib/clock.ts';
import { codeLimits } from '../../../../platform/http/limits/code-limits.ts';
import { originOf } from '../../../../platform/http/requests/request-origin.ts';
import { TokenResponse } from '../../claims-schemas.ts';
import { PasskeyRequestOptions } from '../../factors/passkeys/webauthn-schemas.ts';
import { operationsOf } from '../../../../platform/operations/operation.ts';
import { completionErrors } from '../../factors/errors.ts';
import { PasskeyChallengeBody, PasskeyVerifyBody } from '../../factors/passkeys/schemas.ts';
import { BackupCodeBody, BackupCodeQuery } from '../../factors/schemas.ts';
import type { SignIn } from '../service.ts';
import type { BackupCodeSignIn } from './backup-code.ts';

export interface FactorSignInContext {
  signIn: Pick<SignIn, 'passkeyOptions' | 'completeAsBearer'>;
  backupCodeSignIn: BackupCodeSignIn;
  clock: Clock;
}

const operation = operationsOf<FactorSignInContext>({
  scope: 'public',
  tag: 'second-factor',
  allowsApps: true,
  limit: codeLimits.verify,
});

/** Signing in with a backup code, or with a passkey as the second factor. */
export const factorSignInOperations = [
  operation({
    id: 'secondFactor.verify_backup_code',
    path: 'POST /api/auth/backup-codes/verify',
    summary: 'Sign in with a backup code',
    description:
      'Each code works once. With an `mfa_token` it completes that sign-in; without ' +
      'one it opens a session, and the user is notified.',
    config: { quiet: true },
    query: BackupCodeQuery,
    body: BackupCodeBody,
    output: TokenResponse,
    errors: completionErrors,
    run({ backupCodeSignIn, clock }, { code, user_id: userId, mfa_token: mfaToken }, { request }) {
      return backupCodeSignIn({ userId, code, mfaToken }, originOf(request, clock.now()));
    },
  }),
  operation({
    id: 'secondFactor.passkey_challenge',
    path: 'POST /api/auth/2fa/passkeys/challenge',
    summary: 'Start a sign-in with a passkey',
    description: 'Options for `PublicKeyCredential.parseRequestOptionsFromJSON`.',
    body: PasskeyChallengeBody,
    output: PasskeyRequestOptions,
    errors: [
      'auth.invalid_mfa_token',
      'second_factor.passkey_not_found',
      'second_factor.passkeys_unavailable',
    ],
    run: ({ signIn }, { mfa_token: token }) => signIn.passkeyOptions(token),
  }),
  operation({
    id: 'secondFactor.verify_passkey',
    path: 'POST /api/auth/2fa/passkeys/verify',
    summary: 'Sign in with a passkey',
    description:
      'Completes the sign-in that the `mfa_token` belongs to. An invalid credential ' +
      'gets 400 `otp.invalid` and counts as a wrong code.',
    body: PasskeyVerifyBody,
    output: TokenResponse,
    errors: completionErrors,
    run({ signIn, clock }, { mfa_token: token, credential }, { request }) {
      const factor = { method: 'passkey', credential } as const;
      return signIn.completeAsBearer(token, factor, originOf(request, clock.now()));
    },
  }),
];
