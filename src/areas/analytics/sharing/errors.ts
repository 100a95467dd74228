import { defineErrors } from '../../../platform/errors/errors.ts';

export const sharingErrors = defineErrors('analytics', {
  share_unknown: [
    404,
    'This link is invalid or no longer works. Ask the person who sent it for a new one.',
  ],
  share_not_found: [404, 'This site has no share link with this id.'],
  too_many_shares: [409, 'This site has reached its limit of 50 share links. Revoke one first.'],
  email_not_configured: [
    503,
    'Reports cannot be sent because this service cannot send email. Ask an admin to set it up.',
  ],
  report_not_found: [404, 'This site has no report with this id.'],
  report_exists: [
    409,
    'This address already has a report for this site at this frequency, or has ' +
      'unsubscribed from one. Delete that report first.',
  ],
  report_ended: [
    409,
    'The recipient unsubscribed from this report. If they want it again, delete this ' +
      'report and create a new one.',
  ],
  report_link_invalid: [410, 'This link is not valid. Use the link in your newest report.'],
  too_many_reports: [409, 'This site has reached its limit of 50 reports. Delete one first.'],
  share_busy: [503, 'Too many passwords are being checked. Try again in a moment.'],
  share_tries: [429, 'Too many wrong passwords. Try again later.'],
});
