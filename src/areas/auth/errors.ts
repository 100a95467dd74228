import { defineErrors } from '../../platform/errors/errors.ts';

export const authErrors = defineErrors('auth', {
  invalid_grant: [400, 'The refresh token is not valid any more. Sign in again.'],
  csrf_origin: [
    403,
    'This request came from another site. With a cookie it must come from this one, as JSON.',
  ],
  step_up_required: [401, 'This needs a fresh sign-in. Sign in again, then repeat it.'],
  session_not_found: [404, 'You have no session with this id.'],
  invalid_mfa_token: [400, 'This sign-in has expired or was completed already. Begin again.'],
  user_disabled: [403, 'This account is disabled. An admin can enable it again.'],
  revoked_meanwhile: [
    401,
    'All sessions were ended while this sign-in was under way. Sign in again.',
  ],
});
