import { defineErrors } from '../../../platform/errors/errors.ts';

export const sharingErrors = defineErrors('analytics', {
  share_unknown: [
    404,
    'There is nothing at this address, or not any more. ' +
      'Ask whoever gave you the link for a new one.',
  ],
  share_not_found: [404, 'This site has no share link with this id.'],
  too_many_shares: [409, 'A site can have 50 share links. Revoke one first.'],
  email_not_configured: [503, 'This service sends no e-mail, so there are no reports by it.'],
  report_not_found: [404, 'This site has no report with this id.'],
  report_exists: [
    409,
    'This address has a report of this site and frequency already, ' +
      'or has ended one itself: delete that first.',
  ],
  report_ended: [409, 'Whoever gets this report has ended it.'],
  report_link_invalid: [410, 'This link is not valid. Take the one of the newest report.'],
  too_many_reports: [409, 'A site can have 50 reports. Delete one first.'],
  share_busy: [503, 'Many passwords are being looked at. Try again in a moment.'],
  share_tries: [429, 'Too many wrong passwords. Try again later.'],
});
