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
      `You now sign in with ${p.to} instead of this address. ` +
      `If you didn’t make this change, undo it within 7 days. If you can’t, ${help(p)}.`,
  },
  phoneChanged: {
    headline: 'Phone number changed',
    body: (p: Change) =>
      `You now sign in with ${p.to} instead of this number. ` +
      `If you didn’t make this change, undo it within 7 days. If you can’t, ${help(p)}.`,
  },
  contactAdded: {
    headline: 'Sign-in method added',
    body: (p: Change) =>
      `You can now also sign in with ${p.to}. If you didn’t make this change, ${help(p)}.`,
  },
  undo: {
    link: 'Not you? Undo this change',
    email: {
      restored: {
        headline: 'Email address restored',
        body:
          'You can sign in with this address again. You’ve been signed out of all browsers. Sign ' +
          'in, then check your other sign-in methods.',
      },
      undone: {
        headline: 'Email address change undone',
        body: (p: { to: string }) =>
          `The owner of ${p.to} undid the change. The account uses that address again, and you ` +
          'can’t sign in with this address anymore.',
      },
    },
    phone: {
      restored: {
        headline: 'Phone number restored',
        body:
          'You can sign in with this number again. You’ve been signed out of all browsers. Sign ' +
          'in, then check your other sign-in methods.',
      },
      undone: {
        headline: 'Phone number change undone',
        body: (p: { to: string }) =>
          `The owner of ${p.to} undid the change. The account uses that number again, and you ` +
          'can’t sign in with this number anymore.',
      },
    },
    page: {
      title: 'Undo this change?',
      lead:
        'You’ll sign in with your old email address or phone number again. All browsers will be ' +
        'signed out, including the one used to make the change.',
      submit: 'Undo the change',
      mine: 'If you made the change yourself, close this page. Nothing has happened yet.',
      done: {
        email:
          'You can sign in with your previous email address again. You’ve been signed out of all ' +
          'browsers.',
        phone:
          'You can sign in with your previous phone number again. You’ve been signed out of all ' +
          'browsers.',
      },
      signIn: 'Sign in and check your account',
      contact: 'Contact us',
      invalidTitle: 'This link doesn’t work anymore',
      invalid:
        'It can be used only once, within seven days of the change. If you didn’t make the ' +
        'change, contact us.',
      takenTitle: 'Your old address or number is taken',
      taken:
        'Another account now uses your old email address or phone number. Change it in that ' +
        'account, then open this link again. If you can’t, contact us.',
    },
  },
  deletionRequested: {
    headline: 'Account deletion scheduled',
    body: (p: { date: string }) =>
      `Your account and its data will be deleted on ${p.date}. To keep them, sign in and choose ` +
      'Keep my account. If you didn’t ask for this, do so right away.',
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
      'try deleting your account again.',
  },
  deleted: {
    headline: 'Account deleted',
    isForOutsider: true,
    body: 'Your account and its data were deleted. If you sign in again, you’ll get a new account.',
  },
  exportReady: {
    headline: 'Your data is ready to download',
    body:
      'Sign in within 24 hours to download your copy. If you didn’t ask for it, sign in and end ' +
      'all other sessions.',
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
    secrets: 'Secrets: passkey and authenticator app keys, and hashes of codes and tokens.',
    deletion: 'When you delete your account',
    deleted: 'Everything above is deleted, except:',
    kept: (p: { area: string; title: string; keeps: string }) =>
      `${p.area}, ${p.title}: ${p.keeps}`,
  },
};
