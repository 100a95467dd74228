import { defineErrors } from '../../platform/errors/errors.ts';

export const waitlistErrors = defineErrors('waitlist', {
  email_not_configured: [
    503,
    'The waitlist is closed because this service cannot send email. Ask an admin.',
  ],
  link_invalid: [
    410,
    'This link is no longer valid: each link works only once and expires after 24 hours. ' +
      'Join again to get a new one.',
  ],
  token_invalid: [
    401,
    'Send the token from the email in the header `Waitlist-Token`. If the entry was deleted, ' +
      'join again.',
  ],
  leaderboard_off: [404, 'The leaderboard is turned off (WAITLIST_LEADERBOARD).'],
  entry_not_found: [404, 'No waitlist entry has this id.'],
  entry_exists: [409, 'This mailbox is already on the waitlist. Change its entry instead.'],
  not_verified: [
    409,
    'The address of this entry is not verified yet. Approve the entry once the person has ' +
      'confirmed the address.',
  ],
  already_joined: [409, 'This person has already joined. Disable the user account instead.'],
  credit_fixed: [
    409,
    'Set the credit to `granted` or `withheld`, once the entry is verified. An entry that nobody ' +
      'referred has no credit.',
  ],
  status_fixed: [
    409,
    'Set the status to `approved` or `denied`. The service sets all other statuses.',
  ],
  batch_not_found: [404, 'No batch of invitations has this id.'],
});
