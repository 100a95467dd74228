/** What to do about a change that was not made by the person. */
const help = ({ contact, contactPage }: { contact: string | undefined; contactPage: string }) =>
  contact === undefined
    ? `tell us immediately at ${contactPage}`
    : `write to ${contact} immediately`;

interface Change {
  to: string;
  contact: string | undefined;
  /** The URL of the contact form. */
  contactPage: string;
}

/** Texts of messages about your own account, and of the README in an export. */
export const texts = {
  frame: {
    label: 'Your account',
    unnamed: 'Your account',
    parts: {
      profile: 'Profile',
      security: 'Security',
      sessions: 'Sessions',
      devices: 'Devices',
      data: 'Your data',
    },
    openConsole: 'Open console',
    signOut: 'Sign out',
  },
  emailChanged: {
    headline: 'Email address changed',
    body: (p: Change) =>
      `Your account now signs in with ${p.to} and no longer with this address. ` +
      `If you didn’t make this change, undo it within 7 days. If you can’t, ${help(p)}.`,
  },
  phoneChanged: {
    headline: 'Phone number changed',
    body: (p: Change) =>
      `Your account now signs in with ${p.to} and no longer with this number. ` +
      `If you didn’t make this change, undo it within 7 days. If you can’t, ${help(p)}.`,
  },
  contactAdded: {
    headline: 'Sign-in method added',
    body: (p: Change) =>
      `Your account now also signs in with ${p.to}. ` +
      `If you didn’t make this change, ${help(p)}.`,
  },
  undo: {
    link: 'Not you? Undo this change',
    email: {
      restored: {
        headline: 'Email address restored',
        body:
          'Your account signs in with this address again, and every browser was signed out. Sign ' +
          'in, then check your other sign-in methods.',
      },
      undone: {
        headline: 'Change of the email address undone',
        body: (p: { to: string }) =>
          `The account signs in with ${p.to} again and no longer with this address. The owner of ` +
          'that address undid the change.',
      },
    },
    phone: {
      restored: {
        headline: 'Phone number restored',
        body:
          'Your account signs in with this number again, and every browser was signed out. Sign ' +
          'in, then check your other sign-in methods.',
      },
      undone: {
        headline: 'Change of the phone number undone',
        body: (p: { to: string }) =>
          `The account signs in with ${p.to} again and no longer with this number. The owner of ` +
          'that number undid the change.',
      },
    },
    page: {
      title: 'Undo this change?',
      lead:
        'Your account will sign in with the old address or number again. Every browser is signed ' +
        'out, including the one that made the change.',
      submit: 'Undo the change',
      mine: 'Did you make the change yourself? Then close this page: nothing has happened.',
      done: {
        email: 'Your account signs in with this email address again. Every browser was signed out.',
        phone: 'Your account signs in with this phone number again. Every browser was signed out.',
      },
      signIn: 'Sign in and check your account',
      contact: 'Contact us',
      invalidTitle: 'This link doesn’t work anymore',
      invalid:
        'It works once, for seven days after the change. If the change wasn’t yours, contact us.',
      takenTitle: 'Another account has your old address or number',
      taken:
        'Another account signs in with your old address or number now. Change it there, then ' +
        'open this link again, or contact us.',
    },
  },
  deletionRequested: {
    headline: 'Account deletion scheduled',
    body: (p: { date: string }) =>
      `Your account and its data will be deleted on ${p.date}. To keep them, sign in and choose ` +
      'Keep my account. If you didn’t ask for this, do that now.',
  },
  deletionCanceled: {
    headline: 'Account deletion canceled',
    body:
      'Your account will not be deleted. If you didn’t cancel the deletion, sign in, end all ' +
      'other sessions, and delete your account again.',
  },
  deletionRefused: {
    headline: 'Account not deleted',
    body:
      'You are now the only admin, so your account was kept. Make someone else an admin, then ' +
      'delete it again.',
  },
  deleted: {
    headline: 'Account deleted',
    isForOutsider: true,
    body: 'Your account and its data were deleted. If you sign in again, you get a new account.',
  },
  exportReady: {
    headline: 'Copy of your data ready',
    body:
      'Sign in within 24 hours to download it. If you didn’t ask for it, sign in and end all ' +
      'other sessions.',
  },
  openAccount: 'Open your account',
  openData: 'Open your data',
  readme: {
    title: (p: { app: string; date: string }) => `Your data at ${p.app}, as of ${p.date}`,
    format:
      'There is a JSON file for each part of the service. Lists are also included as CSV, ' +
      'for spreadsheets. Times are in UTC (ISO 8601).',
    files: 'Files',
    file: (p: { area: string; title: string; rows: string; about: string }) =>
      `${p.area}.json, ${p.area}/${p.title}.csv: ${p.rows}. ${p.about}`,
    rows: (p: { count: string }) => `Rows: ${p.count}`,
    cut: (p: { count: string }) => `Rows: the newest ${p.count} only; ask an admin for the rest`,
    picture: 'avatar.webp: your picture.',
    missing: 'Not included',
    anonymous:
      'Analytics: website statistics are anonymous by design. IP addresses are never stored, and ' +
      'visitors are counted by a hash whose key is destroyed after 48 hours. Nobody can tell ' +
      'which visits were yours.',
    shortLived:
      'One-time codes, rate limits and messages in progress: stored encrypted or as hashes, for ' +
      'minutes to hours.',
    secrets: 'Secrets: keys of passkeys and authenticator apps, and hashes of codes and tokens.',
    deletion: 'When you delete your account',
    deleted: 'Everything above is deleted, except:',
    kept: (p: { area: string; title: string; keeps: string }) =>
      `${p.area}, ${p.title}: ${p.keeps}`,
  },
};
