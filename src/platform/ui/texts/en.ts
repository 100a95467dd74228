/** Texts of error pages and of the frame of pages. */
export const texts = {
  navigation: { breadcrumbs: 'Breadcrumbs' },
  form: { cancel: 'Cancel' },
  /** Names the region in which a table scrolls. A heading often has the caption alone. */
  table: { region: (p: { caption: string }) => `${p.caption}, table` },
  theme: { label: 'Theme', system: 'System theme', light: 'Light theme', dark: 'Dark theme' },
  layout: {
    /** Title of the document. */
    title: (p: { title: string; app: string }) => `${p.title} – ${p.app}`,
    /** Title of the document of a page with an error. Screen readers announce it first. */
    errorTitle: (p: { title: string; app: string }) => `Error: ${p.title} – ${p.app}`,
    footer: 'Footer',
  },
  site: {
    skip: 'Skip to content',
    menu: 'Main',
    footer: 'Footer',
  },
  errorTitles: {
    forbidden: 'You don’t have access',
    notFound: 'Not found',
    notAPage: 'This address isn’t a page',
    conflict: 'Already done',
    badForm: 'Check what you entered',
    tooMany: 'Too many attempts',
    refused: 'That didn’t work',
    signIn: 'Sign in first',
    gone: 'No longer available',
    tooLarge: 'Too large',
    unavailable: 'Back in a moment',
    failed: 'Something went wrong',
  },
  errors: {
    wait: (p: { wait: string }) => `Too many attempts. Wait ${p.wait}, then try again.`,
    badForm: 'Some fields were missing or changed. Go back, reload the page and try again.',
    internal:
      'Something went wrong on our side, and we logged it. Try again in a moment. ' +
      'Your last change may not have been saved.',
    unavailable: 'We can’t reach part of the service right now. Try again in a moment.',
    notFound: 'This page or item doesn’t exist, or it was deleted.',
    notAPage: 'This address can’t be opened in a browser.',
    tooLarge: 'This form can’t take that much data. Shorten your input and try again.',
    unreadable: 'Your browser sent something we couldn’t read. Go back and try again.',
    signInFirst: 'Sign in, then open this page again.',
    forbidden: 'You don’t have access to this page. Nothing was changed.',
  },
  forbidden: {
    title: 'You don’t have access',
    role: 'Your account doesn’t have the role this page requires. Nothing was changed.',
    askAdmin: 'To get access, ask an admin for the role.',
    /** `contact` is an email address with a link. */
    askContact: 'To get access, ask <contact></contact> for the role.',
    otherAccount: 'If you have another account, sign out and sign in with it.',
    account: 'Go to your account',
    home: 'Go to the home page',
    signOut: 'Sign out',
  },
};
