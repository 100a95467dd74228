import { defineErrors } from '../../../platform/errors/errors.ts';

export const factorResetErrors = defineErrors('factor_resets', {
  not_found: [404, 'This user has no open 2FA reset.'],
  person_required: [
    403,
    'Only admins who are signed in can request or approve a 2FA reset. API keys cannot.',
  ],
  own_account: [403, 'You cannot reset your own 2FA. Ask two other admins.'],
  own_request: [403, 'You requested this 2FA reset. Another admin needs to approve it.'],
  nothing_to_reset: [409, 'This user has no second factor, so there is nothing to reset.'],
  user_disabled: [409, 'This account is suspended. Resume it first, or leave its 2FA as it is.'],
  too_few_admins: [
    409,
    'A 2FA reset needs two admins besides this user: one to request it and another to approve ' +
      'it. Make one more person an admin first.',
  ],
  already_open: [409, 'A 2FA reset for this user is already open. Approve or cancel it.'],
  already_approved: [409, 'This 2FA reset was already approved.'],
  changed: [409, 'Another 2FA reset is open by now. Review that one, then decide.'],
  requester_gone: [
    409,
    'The admin who requested this 2FA reset is no longer an admin. Cancel it and request a ' +
      'new one.',
  ],
  took_effect: [409, 'This 2FA reset has taken effect, so it cannot be canceled anymore.'],
  link_incomplete: [
    400,
    'This link is incomplete, so nothing was canceled. Open the whole link from the message, or ' +
      'ask an admin to cancel the 2FA reset.',
  ],
  rate_limited: [
    429,
    'This user had three 2FA resets in the last 24 hours. Wait, then request a new one.',
  ],
});
