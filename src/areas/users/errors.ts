import { defineErrors } from '../../platform/errors/errors.ts';

export const userErrors = defineErrors('users', {
  not_found: [404, 'No user has this id.'],
  own_account: [403, 'You cannot do this to your own account. Ask another admin.'],
  sign_up_closed: [
    403,
    'You need an invitation to create an account here. Ask an admin to invite your email address.',
  ],
  review_account: [
    403,
    'This is the review account (REVIEW_ACCOUNT): it works until REVIEW_UNTIL and never has a role.',
  ],
});
