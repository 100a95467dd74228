import { plural } from '../../../components/number-format.ts';

/** Invitations: the dialog that sends one, and their page. */
export const invitations = {
  title: 'Invitations',
  tabs: 'Invitations by status',
  all: 'All',
  statuses: { pending: 'Pending', accepted: 'Accepted', expired: 'Expired', revoked: 'Revoked' },
  users: 'All users',
  invite: {
    open: 'Invite',
    title: 'Invite a person',
    close: 'Close',
    fields: { email: 'Email', role: 'Role', note: 'Note (optional)' },
    hints: { email: 'We’ll email a link that works once, for seven days.' },
    values: { role: { none: 'None', viewer: 'Viewer', admin: 'Admin' } },
    submit: 'Send invitation',
  },
  caption: 'Invitations, newest first',
  columns: { email: 'Email', role: 'Role', status: 'Status', sent: 'Sent', expires: 'Expires' },
  timesSent: (p: { count: number }) => plural(p.count, 'email'),
  none: 'No invitations yet. Invite the people who run this service with you.',
  noMatch: 'No invitations with this status.',
  showAll: 'Show all invitations',
  shown: (p: { count: number }) => `${plural(p.count, 'invitation')} on this page, newest first`,
  resend: 'Send again',
  revoke: 'Revoke',
  notices: {
    sent:
      'Invitation sent. When this person requests approval of their device, you’ll find it ' +
      'under Devices.',
    resent: 'Invitation sent again. The previous link no longer works.',
    revoked: 'Invitation revoked. Its link no longer works.',
  },
};
