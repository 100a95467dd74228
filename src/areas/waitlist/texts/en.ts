import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { plural } from '../../../platform/i18n/plural.ts';

/** Texts of the waitlist: its public pages, and the words for its entries. */
export const texts = {
  join: {
    title: 'Join the waitlist',
    description: 'Join the waitlist with your email address. Invite friends to move up.',
    lead: 'Save your place. We’ll email you when it’s your turn.',
    submit: 'Join the waitlist',
    next: {
      title: 'What happens next',
      steps: [
        'You get an email. Open its link within 24 hours to confirm your address.',
        'You see your place in line, and get a link to share with friends.',
        'We email you when it’s your turn. You can leave the list at any time.',
      ],
    },
    waiting: (p: { total: number }) =>
      `${formatNumber(p.total)} ` +
      `${plural(p.total, { one: 'person is', other: 'people are' })} waiting.`,
    /** `privacy` leads to the privacy policy. Change `consentVersion` with this sentence. */
    consent:
      'Email me about my place on the waitlist. I have read the <privacy>privacy policy</privacy>.',
    trap: 'Leave this empty',
    referred: 'Someone invited you. They’ll move up the waitlist when you confirm your address.',
    back: 'Go to the waitlist',
  },
  fields: {
    email: 'Email',
  },
  errors: {
    email: 'Enter an email address like name@example.com.',
    name: 'Use at most 200 characters, on one line.',
    consent: 'To join, agree to get emails about your place.',
  },
  closed: {
    text: 'The waitlist is closed because this service can’t send confirmation emails.',
  },
  asked: {
    title: 'Check your inbox',
    text:
      'We’ve sent an email to this address. Open its link within 24 hours to save your place. If ' +
      'you’re already on the list, the email has a link to your place.',
    noMessage: 'Nothing after a few minutes? Check your spam folder, or join again in 10 minutes.',
  },
  verify: {
    title: 'Confirm your email address',
    text: 'Do you want to join the waitlist with the address that received this link?',
    submit: 'Confirm and join',
  },
  status: {
    title: 'Your place on the waitlist',
    heading: 'You’re on the list',
    place: (p: { position: number }) => `#${formatNumber(p.position)}`,
    of: (p: { total: number }) => `of ${formatNumber(p.total)} waiting`,
    behind: 'How much of the line is behind you',
    first: 'You’re next in line.',
    ahead: (p: { ahead: number }) =>
      `${formatNumber(p.ahead)} ` +
      `${plural(p.ahead, { one: 'person is', other: 'people are' })} ahead of you.`,
    referrals: (p: { count: number }) =>
      `${formatNumber(p.count)} ` +
      `${plural(p.count, { one: 'friend', other: 'friends' })} joined with your link.`,
    shareTitle: 'Move up the line',
    share: 'Share your link. You keep your place, and your friends get theirs.',
    gain: (p: { places: number }) =>
      `Share your link. The next friend who joins and confirms moves you up ` +
      `${formatNumber(p.places)} ${plural(p.places, { one: 'place', other: 'places' })}.`,
    link: 'Your link',
    shareBy: 'Share your link by',
    by: { email: 'Email', whatsapp: 'WhatsApp', x: 'X', linkedin: 'LinkedIn' },
    message: 'Join me on the waitlist:',
    joined: 'You joined <time></time>.',
    states: {
      pending: 'Confirm your email address first: open the link in the email.',
      verified: 'We’ll email you when it’s your turn.',
      approved: 'It’s your turn. Sign up with the address that got the invitation.',
      denied: 'We can’t invite you at this time.',
      joined: 'You’ve joined. Sign in with your address.',
    },
    signUp: 'Sign up',
    signIn: 'Sign in',
  },
  open: {
    title: 'Your place on the waitlist',
    text: 'Open the link in your email, or paste it here.',
    token: 'Link from the email',
    submit: 'View your place',
    join: 'Not on the list yet? <link>Join the waitlist</link>',
    invalid: 'This link doesn’t belong to anyone on the list. Paste the whole link from the email.',
  },
  leave: {
    title: 'Leave the waitlist',
    text: 'Do you want to leave the waitlist? Your place and data will be deleted.',
    submit: 'Leave the waitlist',
  },
  left: {
    title: 'You’ve left the waitlist',
    text: 'Your place and data were deleted. You won’t get any more emails about the waitlist.',
  },
  entries: {
    one: 'a waitlist entry',
    many: 'waitlist entries',
    description: 'People on the waitlist, with their referrals.',
    none: 'Nobody is on the waitlist yet. People can join at /waitlist, or you can add them here.',
    fields: {
      id: 'Id',
      email: 'Email',
      name: 'Name',
      status: 'Status',
      score: 'Points',
      amount_referred: 'Referrals',
      referral_code: 'Referral code',
      referred_by: 'Referred by',
      credit: 'Credit for the referrer',
      credit_reasons: 'Why not counted',
      is_disposable: 'Disposable address',
      source: 'Source',
      network: 'Network',
      consent_version: 'Consent version',
      consent_at: 'Consent given',
      verified_at: 'Confirmed',
      verified_network: 'Network at confirmation',
      verified_because: 'How the address was confirmed',
      approved_at: 'Invited',
      invited_at: 'Invitation sent',
      denied_at: 'Denied',
      joined_at: 'Joined',
      metadata: 'Metadata',
      created_at: 'Created',
    },
    values: {
      status: {
        pending: 'Unconfirmed',
        verified: 'Waiting',
        approved: 'Invited',
        denied: 'Denied',
        joined: 'Joined',
      },
      credit: { none: 'None', waiting: 'Waiting', granted: 'Granted', withheld: 'Withheld' },
      source: { form: 'Form', api: 'API', signup: 'Sign-up', import: 'Import' },
      credit_reasons: {
        self_referral: 'Same person',
        same_network: 'Same network',
        disposable_address: 'Disposable address',
        velocity: 'Too many referrals in an hour',
        referrer_not_on_list: 'Referrer is not on the list',
        denied: 'Denied',
        withheld_by_admin: 'Withheld by an admin',
      },
    },
    hints: {
      verified_because:
        'Such as “Customer since 2024”. Leave empty to email them a link to confirm it.',
      credit: '“Granted” and “Withheld” override the abuse checks.',
      status: '“Invited” sends the invitation. “Denied” sends nothing.',
    },
    points: {
      create: [
        'We email them a link to confirm the address. The link works for 24 hours.',
        'Once it’s confirmed, they take the last place in line.',
        'If you say how you know the address, they join right away, and we send no email.',
        'After 7 days without confirmation, the entry is deleted.',
      ],
      import: [
        'We email people a link to confirm the address, unless verified_because has a reason.',
        'People keep the order of the file.',
        'Rows whose mailbox is already on the list are skipped. Existing entries stay as they are.',
      ],
      delete: [
        'They lose their place in line. We don’t email them.',
        'If they’re invited but haven’t joined, the invitation stops working.',
        'Their referral link no longer counts for anyone.',
        'Whoever referred them loses the points. People whom they referred keep their places.',
        'An account that they already have stays. They can join the waitlist again.',
      ],
    },
  },
};
