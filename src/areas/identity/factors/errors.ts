import { defineErrors } from '../../../platform/errors/errors.ts';

export const secondFactorErrors = defineErrors('second_factor', {
  already_enrolled: [409, 'An authenticator app is already set up. Remove it first.'],
  not_enrolled: [404, 'No authenticator app is set up.'],
  passkey_not_found: [404, 'None of your passkeys has this id.'],
  too_many_passkeys: [409, 'You have reached the limit of 20 passkeys. Remove one first.'],
  passkeys_unavailable: [
    409,
    'Passkeys do not work with an IP address. Ask an admin to set BASE_URL to a URL ' +
      'with a hostname.',
  ],
  aal2_required: [
    401,
    'This action requires a sign-in with a second factor. Sign in again, then retry.',
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
