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
      `One a line or separated by commas, up to 20. Each gets a link that works until ${p.day}.`,
    roleLegend: 'Role',
    roleHints: {
      viewer: 'Sees the overview, analytics, the status page and realtime. Changes nothing.',
      admin: 'Sees and changes everything, and invites others. Needs an approved device.',
      none: 'An account without access to the console.',
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
      'Invitation sent. When this person requests approval of their device, you’ll find it ' +
      'under Devices.',
    sentAll:
      'Invitations sent. When these people request approval of their devices, you’ll find them ' +
      'under Devices.',
    resent: 'Invitation sent again. The previous link no longer works.',
    revoked: 'Invitation revoked. Its link no longer works.',
    unrevoked: 'Invitation restored. Its link works again.',
  },
};
