import { defineErrors } from '../../platform/errors.ts';

export const secondFactorErrors = defineErrors('second_factor', {
  already_enrolled: [409, 'An authenticator app is set up already. Remove it first.'],
  not_enrolled: [404, 'No authenticator app is set up.'],
  aal2_required: [401, 'This needs a sign-in with the second factor. Sign in again, then repeat it.'],
});
