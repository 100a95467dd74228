import { defineErrors } from '../../../platform/errors/errors.ts';

export const idpErrors = defineErrors('auth', {
  oauth_not_configured: [
    503,
    'Sign-in with an identity provider is not configured on this service. Use another ' +
      'sign-in method.',
  ],
  invalid_state: [
    400,
    'This sign-in started in another browser, took longer than ten minutes, or was ' +
      'already completed. Sign in again.',
  ],
  idp_refused: [
    400,
    'The identity provider did not complete the sign-in. Try again, or sign in another way.',
  ],
  idp_invalid: [
    400,
    'The response from the identity provider could not be verified. Sign in again.',
  ],
  idp_unavailable: [503, 'The identity provider is not reachable. Try again in a moment.'],
});

/** The codes of errors that can end a sign-in at the provider. */
export const callbackErrors = [
  'auth.invalid_state',
  'auth.idp_refused',
  'auth.idp_invalid',
  'auth.oauth_not_configured',
  'auth.idp_unavailable',
  'auth.user_disabled',
  'auth.revoked_meanwhile',
  'users.sign_up_closed',
];
