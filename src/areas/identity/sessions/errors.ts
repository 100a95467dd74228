import { defineErrors } from '../../../platform/errors/errors.ts';

export const authErrors = defineErrors('auth', {
  invalid_grant: [400, 'The refresh token is no longer valid. Sign in again.'],
  csrf_origin: [
    403,
    'This request came from another site. Requests with a cookie must come from this ' +
      'site and send JSON.',
  ],
  session_not_found: [404, 'None of your sessions has this id.'],
  invalid_mfa_token: [400, 'This sign-in has expired or was already completed. Sign in again.'],
  user_disabled: [403, 'This account is suspended. An admin can resume it.'],
  revoked_meanwhile: [401, 'All sessions were ended during this sign-in. Sign in again.'],
});
