import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { plural } from '../../../../platform/i18n/plural.ts';

const people = (count: number): string =>
  `${formatNumber(count)} ${plural(count, { one: 'person', other: 'people' })}`;

const mails = (count: number): string => plural(count, { one: 'invitation', other: 'invitations' });

/** Texts of the console's pages about the waitlist. */
export const texts = {
  title: 'Waitlist',
  tabs: { overview: 'Overview', entries: (p: { count: string }) => `Entries ${p.count}` },
  publicPage: 'View public page',
  figures: 'Waitlist in numbers',
  stats: {
    waiting: 'Waiting',
    unconfirmed: 'Unconfirmed',
    approved: 'Invited',
    joined: 'Joined',
    referrals: 'Referrals counted',
    withheld: 'Not counted',
  },
  growth: {
    title: 'Growth',
    caption: 'People who joined the waitlist, last 90 days (UTC)',
    people: 'People',
  },
  next: {
    title: 'Next in line',
    invite: 'Invite selected',
    caption: 'Next people on the waitlist',
    none: 'Nobody is waiting.',
    columns: { person: 'Person', points: 'Points', referrals: 'Referrals', verified: 'Confirmed' },
  },
  approve: {
    title: 'Invite people',
    hint: 'Everyone you invite gets an email with a sign-up link.',
    next: (p: { count: number }) => `Invite the next ${p.count}`,
    progress: (p: { invited: number; size: number }) =>
      `Latest batch: ${formatNumber(p.invited)} of ${people(p.size)} invited.`,
    leftOut: (p: { count: number }) =>
      `${people(p.count)} with disposable addresses ${p.count === 1 ? 'is' : 'are'} left out. ` +
      'Invite them one by one.',
  },
  confirm: {
    title: (p: { count: number }) => `Invite ${people(p.count)}?`,
    mails: (p: { count: number }) =>
      p.count === 1 ? '1 person gets the invitation.' : `${people(p.count)} get the invitation.`,
    leftOut: (p: { count: number }) =>
      p.count === 1
        ? '1 disposable address is left out.'
        : `${formatNumber(p.count)} disposable addresses are left out.`,
    preview: 'Preview the email',
    subject: 'Subject',
    more: (p: { count: number }) => `and ${formatNumber(p.count)} more`,
    submit: (p: { count: number }) => `Send ${formatNumber(p.count)} ${mails(p.count)}`,
  },
  list: {
    all: 'Everyone',
    chip: (p: { status: string; count: string }) => `${p.status} ${p.count}`,
    invite: 'Invite selected',
    deny: 'Deny selected',
    chooseFirst: 'Nothing was changed. Select at least one person.',
  },
  reasons: {
    title: 'Why not counted',
    caption: 'Referrals that are not counted, by reason',
    columns: { reason: 'Reason', count: 'Referrals' },
  },
  entry: {
    person: 'About',
    edit: 'Edit entry',
    approve: 'Invite',
    deny: 'Deny',
    place: 'Place in line',
    stats: {
      rank: (p: { place: string }) => `#${p.place}`,
      brought: 'Friends referred',
    },
    link: 'Referral link',
    history: 'History',
    consent: 'Consent and source',
    verifiedBecause: 'Why confirmed',
    broughtBy: 'Referred by',
    points: 'Points',
    from: 'Source',
    sources: {
      form: 'The waitlist form',
      api: 'The API',
      signup: 'The sign-up form',
      import: 'An import',
    },
    disposable: 'Disposable address',
    mails: 'Emails to this person',
    referrals: (p: { count: number }) =>
      p.count === 0 ? 'No referrals yet' : `Referred ${people(p.count)}`,
    referralsCaption: 'People who joined with this person’s link',
    columns: {
      person: 'Person',
      status: 'Status',
      credit: 'Points given',
      reasons: 'Why not counted',
    },
  },
  notices: {
    created: 'Added.',
    updated: 'Changes saved.',
    approved: 'Invited. The emails are on their way.',
    denied: 'Denied. We don’t email people about this.',
  },
};
