import { defineErrors } from '../../../platform/errors/errors.ts';

export const invitationErrors = defineErrors('invitations', {
  not_found: [404, 'No invitation has this id.'],
  already_pending: [
    409,
    'This address already has a pending invitation. Send it again, or revoke it first.',
  ],
  too_many_pending: [
    409,
    'There are 500 pending invitations. Revoke those that are no longer needed.',
  ],
  rate_limited: [
    429,
    'In the last hour, 100 invitation emails were sent. Try again after the time in the ' +
      'Retry-After header.',
  ],
  address_rate_limited: [
    429,
    'Ten invitations were sent to this mailbox in the last day. Ask the person to check ' +
      'for the latest one, including in the spam folder, or try again after the time in the ' +
      'Retry-After header.',
  ],
  not_open: [409, 'This invitation was accepted or revoked, so it cannot be changed anymore.'],
  resent_too_often: [
    429,
    'An invitation can be sent five times, at least a minute apart. Wait a minute, or ' +
      'revoke it and create a new one.',
  ],
  link_invalid: [
    410,
    'This invitation has expired, or was used or withdrawn. Ask the person who invited you ' +
      'for a new one.',
  ],
  other_account: [
    403,
    'This invitation is for a different address than the one you are signed in with. Sign out, ' +
      'then open the link again.',
  ],
});
