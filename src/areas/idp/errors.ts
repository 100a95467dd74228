import { defineErrors } from '../../platform/errors/errors.ts';

export const idpErrors = defineErrors('auth', {
  oauth_not_configured: [503, 'Sign-in through the identity provider is not set up.'],
  invalid_state: [
    400,
    'This sign-in was not begun here, took longer than ten minutes, or is over already. Begin ' +
      'it again.',
  ],
  idp_refused: [400, 'The identity provider did not sign you in.'],
  idp_invalid: [
    400,
    'What the identity provider answered could not be verified. Begin the sign-in again.',
  ],
  idp_unavailable: [503, 'The identity provider cannot be reached. Try again in a moment.'],
});
