import { defineErrors } from '../../platform/errors/errors.ts';

export const userErrors = defineErrors('users', {
  not_found: [404, 'No user has this id.'],
  own_account: [403, 'You cannot do this to your own account. Ask another admin.'],
});
