import { defineErrors } from '../../platform/errors/errors.ts';

export const secondFactorErrors = defineErrors('second_factor', {
  already_enrolled: [409, 'An authenticator app is set up already. Remove it first.'],
  not_enrolled: [404, 'No authenticator app is set up.'],
  passkey_not_found: [404, 'You have no such passkey.'],
  too_many_passkeys: [409, 'Nobody can have more than 20 passkeys. Remove one first.'],
  passkeys_unavailable: [
    409,
    'Passkeys belong to a host name, and this service has none: BASE_URL has to be set to one.',
  ],
  aal2_required: [
    401,
    'This needs a sign-in with the second factor. Sign in again, then repeat it.',
  ],
});

/** The codes of errors that can end a sign-in with a second factor. */
export const completionErrors = [
  'otp.invalid',
  'otp.too_many_attempts',
  'auth.user_disabled',
  'auth.revoked_meanwhile',
  'auth.invalid_mfa_token',
];
