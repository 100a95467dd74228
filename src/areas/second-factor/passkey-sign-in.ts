import type { TokenResponse } from '../../platform/identity/claims-schemas.ts';
import type { Origin } from '../../platform/http/request-origin.ts';
import type {
  AssertionCredential,
  PasskeyRequestOptions,
} from '../../platform/identity/webauthn-schemas.ts';
import type { SignIn } from '../auth/sign-in.ts';

export interface PasskeySignInDeps {
  signIn: Pick<SignIn, 'passkeyOptions' | 'completeAsBearer' | 'response'>;
}

/** A passkey as the second factor of a sign-in that is under way. */
export function createPasskeySignIn({ signIn }: PasskeySignInDeps) {
  return {
    /**
     * Throws `auth.invalid_mfa_token`, `second_factor.passkey_not_found`, `.passkeys_unavailable`.
     */
    challenge: (mfaToken: string): Promise<PasskeyRequestOptions> =>
      signIn.passkeyOptions(mfaToken),

    /**
     * Throws `auth.invalid_mfa_token`, `otp.invalid`, `otp.too_many_attempts`,
     * `auth.user_disabled`.
     */
    complete: async (
      mfaToken: string,
      credential: AssertionCredential,
      from: Origin,
    ): Promise<TokenResponse> =>
      signIn.response(
        await signIn.completeAsBearer(mfaToken, { method: 'passkey', credential }, from),
      ),
  };
}

export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>;
