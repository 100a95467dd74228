import { defineErrors } from '../../platform/errors/errors.ts';

export const userErrors = defineErrors('users', {
  not_found: [404, 'There is no user with this id.'],
  own_account: [403, 'Somebody else must do this to your own account.'],
});
