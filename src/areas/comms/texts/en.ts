import { formatWait } from '../../../platform/i18n/durations.ts';

const minutes = (count: string): string => formatWait(Number(count) * 60);
const hours = (count: string): string => formatWait(Number(count) * 3600);

const worksOnce = (until: string | undefined): string =>
  until === undefined ? 'The link works once.' : `The link works once, until ${until}.`;

export const texts = {
  signInCode: {
    /** The last line must be `@host #code`. */
    sms: (p: { app: string; code: string; host: string }) =>
      `${p.app} code: ${p.code}. Do not share it.\n@${p.host} #${p.code}`,
    subject: (p: { app: string }) => `Your ${p.app} sign-in code`,
    preheader: (p: { code: string; minutes: string }) =>
      `${p.code} is your code. It works once and expires in ${minutes(p.minutes)}. ` +
      'Never share it with anyone.',
    title: 'Your sign-in code',
    lead: 'Enter this code to sign in:',
    terms: (p: { minutes: string; host: string }) =>
      `The code works once and expires in ${minutes(p.minutes)}. Enter it only on ${p.host}.`,
    warning: (p: { app: string }) =>
      `Don’t share this code. ${p.app} will never ask you for it by phone, email or chat.`,
    reason:
      'You’re receiving this email because someone entered your address to sign in. ' +
      'If it wasn’t you, ignore it: no one can sign in without the code.',
  },
  contactCode: {
    /** The last line must be `@host #code`. */
    sms: (p: { app: string; code: string; host: string }) =>
      `${p.app} code to add this number to an account: ${p.code}. Do not share it.\n` +
      `@${p.host} #${p.code}`,
    subject: (p: { app: string }) => `Confirm your new email address for ${p.app}`,
    preheader: (p: { code: string; minutes: string }) =>
      `${p.code} confirms this address for an account. It works once and expires in ` +
      `${minutes(p.minutes)}. Never share it with anyone.`,
    title: 'Confirm your new email address',
    lead: 'Enter this code on your account page to sign in with this address from now on:',
    terms: (p: { minutes: string; host: string }) =>
      `The code works once and expires in ${minutes(p.minutes)}. Enter it only on ${p.host}.`,
    warning: (p: { app: string }) =>
      'Don’t share this code: anyone who enters it adds your address to their account. ' +
      `${p.app} will never ask you for it by phone, email or chat.`,
    reason:
      'You’re receiving this email because someone entered your address in their account. ' +
      'If it wasn’t you, ignore it: nothing changes without the code.',
  },
  signupConfirm: {
    sms: (p: { app: string; url: string }) => `${p.app}: confirm your sign-up: ${p.url}`,
    subject: (p: { app: string }) => `Confirm your email address for ${p.app}`,
    preheader: (p: { app: string; hours: string }) =>
      `Finish signing up for ${p.app}. The link in this email works once and ` +
      `expires in ${hours(p.hours)}.`,
    title: 'Confirm your email address',
    lead: (p: { app: string }) => `Confirm this address to finish signing up for ${p.app}.`,
    button: 'Confirm email address',
    terms: (p: { hours: string }) => `The link works once and expires in ${hours(p.hours)}.`,
    reason: (p: { app: string }) =>
      `You’re receiving this email because someone entered your address to sign up for ${p.app}. ` +
      'If it wasn’t you, ignore it: nothing happens without your confirmation.',
  },
  invitation: {
    sms: (p: { app: string; url: string }) => `You’re invited to ${p.app}: ${p.url}`,
    subject: (p: { app: string }) => `You’re invited to ${p.app}`,
    preheader: (p: { app: string; until: string | undefined }) =>
      `Accept the invitation to ${p.app} with this address. ${worksOnce(p.until)}`,
    title: (p: { app: string }) => `You’re invited to ${p.app}`,
    lead: (p: { app: string }) => `Accept the invitation to sign in to ${p.app} with this address.`,
    inviter: 'Invited by',
    role: 'Role',
    note: (p: { note: string }) => `Their note: ${p.note}`,
    button: 'Open invitation',
    terms: (p: { until: string | undefined }) =>
      `${worksOnce(p.until)} Don’t forward this email: anyone who opens the link can sign in ` +
      'as you.',
    reason: (p: { app: string }) =>
      `You’re receiving this email because an admin of ${p.app} invited this address. ` +
      'If you don’t know them, ignore it: nothing happens unless you accept.',
  },
  contactReply: {
    sms: (p: { app: string; body: string }) => `${p.app}: ${p.body}`,
    quote: (p: { quote: string }) => `You wrote:\n\n${p.quote}`,
    reason: (p: { app: string }) =>
      `You’re receiving this email because someone entered your address in the ${p.app} contact ` +
      'form. To respond, reply to this email. If you didn’t write to us, ignore it.',
  },
  contactNotice: {
    sms: (p: { app: string; headline: string }) => `${p.app}: ${p.headline}`,
    subject: (p: { app: string; headline: string }) => `${p.app}: ${p.headline}`,
    preheader: (p: { messages: readonly { label: string; value: string }[] }) =>
      p.messages.map(({ label, value }) => `${label}: ${value}`).join(' · '),
    caution: 'These are excerpts from the messages, without links. Open the inbox to reply.',
    button: 'Open inbox',
    reason: (p: { app: string }) =>
      `You’re receiving this email because messages from the ${p.app} contact form go to this ` +
      'address. We send at most one of these emails every 10 minutes.',
  },
  statusConfirm: {
    sms: (p: { app: string; url: string }) =>
      `${p.app}: confirm your subscription to status updates: ${p.url}`,
    subject: (p: { app: string }) => `${p.app} status: confirm your subscription`,
    preheader: (p: { app: string; hours: string }) =>
      `Get emails about ${p.app} incidents and maintenance. Confirm ` + `within ${hours(p.hours)}.`,
    title: 'Confirm your subscription',
    lead: (p: { app: string }) =>
      `Confirm this address to get emails about ${p.app} incidents and maintenance.`,
    button: 'Confirm subscription',
    terms: (p: { hours: string }) => `The link works for ${hours(p.hours)}.`,
    reason: (p: { app: string }) =>
      `You’re receiving this email because someone entered your address on the ${p.app} ` +
      'status page. If it wasn’t you, ignore this email: you won’t get any more.',
  },
  statusUpdate: {
    sms: (p: { app: string; name: string; phase: string; url: string }) =>
      `${p.app} status: ${p.name} (${p.phase}). ${p.url}`,
    subject: (p: { app: string; name: string; phase: string }) =>
      `${p.app} status: ${p.name} (${p.phase})`,
    preheader: (p: { phase: string; components: string; body: string }) =>
      [p.phase, ...(p.components === '' ? [] : [p.components]), p.body].join(' · '),
    status: 'Status',
    affected: 'Affected',
    button: 'View all updates',
    reason: (p: { app: string }) =>
      `You’re receiving this email because you subscribed to ${p.app} status updates.`,
    unsubscribe: 'Unsubscribe',
  },
  waitlistConfirm: {
    sms: (p: { app: string; url: string }) => `${p.app} waitlist: confirm your address: ${p.url}`,
    subject: (p: { app: string }) => `Confirm your place on the ${p.app} waitlist`,
    preheader: (p: { app: string; hours: string }) =>
      `Join the ${p.app} waitlist. The link in this email works once and expires in ` +
      `${hours(p.hours)}.`,
    title: (p: { app: string }) => `Confirm your place on the ${p.app} waitlist`,
    lead: (p: { app: string }) => `Confirm this address to join the ${p.app} waitlist.`,
    button: 'Confirm email address',
    terms: (p: { hours: string }) => `The link works once and expires in ${hours(p.hours)}.`,
    reason: (p: { app: string; sender: string }) =>
      `You’re receiving this email because someone entered your address on the ${p.app} ` +
      'waitlist. If it wasn’t you, ignore it: nothing happens without your confirmation. ' +
      `Sent by ${p.sender}.`,
  },
  waitlistPlace: {
    sms: (p: { app: string; url: string }) => `${p.app} waitlist: your place: ${p.url}`,
    subject: (p: { app: string }) => `Your place on the ${p.app} waitlist`,
    preheader: (p: { app: string; hours: string }) =>
      `See how many people are ahead of you on the ${p.app} waitlist, and share your link ` +
      'to move ' +
      'up.',
    title: (p: { app: string }) => `You’re on the ${p.app} waitlist`,
    lead: (p: { app: string }) =>
      `Your address is on the ${p.app} waitlist. See your place, and share your link to move up.`,
    button: 'View your place',
    terms: 'The link is only for you: don’t forward it.',
    reason: (p: { app: string; sender: string }) =>
      `You’re receiving this email because someone entered your address on the ${p.app} ` +
      `waitlist again. Sent by ${p.sender}.`,
  },
  waitlistInvitation: {
    sms: (p: { app: string; url: string }) => `${p.app}: you’re in. Sign up: ${p.url}`,
    subject: (p: { app: string }) => `You’re invited to ${p.app}`,
    preheader: (p: { app: string; hours: string }) =>
      `Your wait is over. Sign up for ${p.app} now, with the address that received this email.`,
    title: (p: { app: string }) => `You’re invited to ${p.app}`,
    lead: (p: { app: string }) =>
      `Your wait is over. Sign up for ${p.app} with the address that received this email.`,
    button: 'Sign up',
    terms: 'The invitation is for this address only.',
    reason: (p: { app: string; sender: string }) =>
      `You’re receiving this email because you joined the ${p.app} waitlist. Sent by ${p.sender}.`,
  },
  leaveWaitlist: 'Leave the waitlist',
  accountNotice: {
    sms: (p: { app: string; headline: string; body: string }) =>
      `${p.app}: ${p.headline}. ${p.body}`,
    subject: (p: { app: string; headline: string }) => `${p.app}: ${p.headline}`,
    reason: (p: { app: string }) =>
      `${p.app} sends this email when the security of your account changes. ` +
      'You can’t unsubscribe from security emails.',
  },
  testMessage: {
    sms: (p: { app: string }) => `${p.app}: text messages work.`,
    subject: (p: { app: string }) => `${p.app}: your email works`,
    preheader:
      'This test email shows how codes, lists of details and buttons will look in your emails.',
    title: 'Your email works',
    lead: 'This is how your emails look. Here’s a code:',
    factsLead: 'And here are details and a button:',
    sentAt: 'Sent',
    sentTo: 'To',
    button: 'Back to the settings',
    reason: (p: { app: string }) =>
      'You’re receiving this email because you pressed “Send test email” in the ' +
      `${p.app} console.`,
  },
  analyticsReport: {
    sms: (p: { app: string; kind: string; site: string; headline: string; url: string }) =>
      `${p.app}: ${p.kind} for ${p.site}: ${p.headline}. ${p.url}`.trim(),
    subject: (p: { kind: string; site: string; headline: string }) =>
      `${p.kind} for ${p.site}: ${p.headline}`,
    lead: (p: { kind: string; site: string; days: string; timezone: string; before: string }) =>
      `${p.kind} for ${p.site}, ${p.days} (${p.timezone}), compared with ${p.before}.`,
    button: 'View dashboard',
    reason: (p: { app: string; site: string }) =>
      `You’re receiving this email because someone at ${p.app} added your address to the ` +
      `reports for ${p.site}.`,
    unsubscribe: 'Unsubscribe',
  },
  outbox: {
    title: 'Outbox',
    lead:
      'During development, messages are kept here instead of being sent. Reload the page to see ' +
      'new ones.',
    empty: 'No messages yet. Sign in with a code, and its email appears here.',
    channels: { sms: 'SMS', email: 'Email' },
    to: 'To:',
    filtered: (p: { to: string }) => `Showing messages to ${p.to}.`,
    showAll: 'Show all messages',
    showHtml: 'View HTML',
    mail: 'The email as its recipient sees it',
  },
};
