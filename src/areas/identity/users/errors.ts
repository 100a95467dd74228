import { defineErrors } from '../../../platform/errors/errors.ts';

export const userErrors = defineErrors('users', {
  not_found: [404, 'No user has this id.'],
  taken: [
    409,
    'Another user has this email address, phone number or external id. Change that user instead.',
  ],
  external_id_taken: [409, 'Another user has this external id.'],
  last_admin: [
    409,
    'This user is the only admin who can sign in. Make someone else an admin first.',
  ],
  own_account: [403, 'You cannot do this to your own account. Ask another admin.'],
  sign_up_closed: [
    403,
    'You need an invitation to create an account here. Ask an admin to invite your email address.',
  ],
  review_account: [
    403,
    'This is the review account (REVIEW_ACCOUNT): it works until REVIEW_UNTIL, never has a ' +
      'role, and its addresses, numbers, second factors and the account itself stay as they are.',
  ],
});
