import { defineErrors } from '../../platform/errors/errors.ts';

export const contactErrors = defineErrors('contact', {
  too_many: [
    429,
    'Too many messages from this sender, from this network or in total. Retry after the time in ' +
      'the Retry-After header, or solve a challenge for a higher limit.',
  ],
  proof_invalid: [
    400,
    'The solution in `altcha` is not valid. Get a new challenge from ' +
      'GET /api/v1/contact/challenge and solve it.',
  ],
  proof_expired: [
    400,
    'The challenge in `altcha` has expired. Get a new one from GET /api/v1/contact/challenge.',
  ],
  proof_used: [
    409,
    'This solution was already used. Get a new challenge from GET /api/v1/contact/challenge for ' +
      'each message.',
  ],
  form_expired: [
    400,
    'The form was open for too long or is not from this service. Load the form again.',
  ],
  too_fast: [
    400,
    'The form was sent within three seconds after it was loaded. Wait a moment and send it again.',
  ],
  too_many_replies: [
    429,
    'Too many replies to this address, or by you: at most 10 an hour and 40 a day to one ' +
      'mailbox, and 200 an hour by one person or API key. Nothing was sent. Retry after the time ' +
      'in the Retry-After header.',
  ],
  not_found: [404, 'No message has this id.'],
  assignee_invalid: [
    400,
    'Only an active user with the admin role can be assigned. Choose another user.',
  ],
  saved_reply_not_found: [404, 'No saved reply has this id.'],
  saved_reply_name_taken: [409, 'Another saved reply has this name. Choose another name.'],
});
