import { plural } from '../../../components/number-format.ts';

/** Invitations: the dialog that sends one, and their page. */
export const invitations = {
  title: 'Invitations',
  tab: (p: { count: number }) => (p.count === 0 ? 'Invitations' : `Invitations ${p.count}`),
  tabs: 'Invitations by status',
  all: 'All',
  statuses: { pending: 'Pending', accepted: 'Accepted', expired: 'Expired', revoked: 'Revoked' },
  invite: {
    open: 'Invite',
    title: 'Invite people',
    fields: { email: 'Email addresses', note: 'Note (optional)' },
    emailHint: (p: { day: string }) =>
      `One per line or separated by commas, up to 20. Each link works until ${p.day}.`,
    roleLegend: 'Role',
    roleHints: {
      viewer:
        'Can see the overview, analytics, status and realtime, but can’t change anything. ' +
        'Needs an approved device.',
      admin: 'Can see and change everything, and invite others. Needs an approved device.',
      none: 'Gets an account, but no access to the console.',
    },
    values: { role: { none: 'No role', viewer: 'Viewer', admin: 'Admin' } },
    submit: 'Send invitations',
    errors: {
      none: 'enter an email address',
      tooMany: (p: { max: number }) => `enter at most ${p.max} addresses`,
      invalid: (p: { addresses: string }) => `not an email address: ${p.addresses}`,
    },
    resultTitle: (p: { count: number }) => `${plural(p.count, 'invitation')} sent`,
    refused: (p: { count: number }) => `${p.count} not sent`,
    why: 'Why',
  },
  caption: 'Invitations, newest first',
  columns: { email: 'Person', role: 'Role', status: 'Status', sent: 'Sent', expires: 'Expires' },
  invitedBy: (p: { name: string }) => `Invited by ${p.name}`,
  program: 'an API key',
  timesSent: (p: { count: number }) => plural(p.count, 'email'),
  none: 'No invitations yet. Invite the people who run this service with you.',
  noMatch: 'No invitations with this status.',
  showAll: 'Show all invitations',
  shown: (p: { count: number }) => `${plural(p.count, 'invitation')} on this page, newest first`,
  resend: 'Send again',
  revoke: 'Revoke',
  notices: {
    sent:
      'Invitation sent. When they request approval for their device, you’ll find the request ' +
      'under Devices.',
    sentAll:
      'Invitations sent. When people request approval for their devices, you’ll find the ' +
      'requests under Devices.',
    resent: 'Invitation sent again. The previous link no longer works.',
    revoked: 'Invitation revoked. Its link no longer works.',
    unrevoked: 'Invitation restored. Its link works again.',
  },
};
