const help = (contact: string | undefined): string =>
  contact === undefined ? 'tell an admin immediately' : `write to ${contact} immediately`;

/** Texts of messages and of the page about 2FA resets. */
export const texts = {
  /** To the user, on every channel. */
  user: {
    requested: {
      headline: '2FA reset requested',
      body:
        'An admin asked to remove two-factor authentication from your account, because you lost ' +
        'it. It is removed 24 hours after a second admin approves. If you didn’t ask for this, ' +
        'cancel it now.',
    },
    approved: {
      headline: '2FA reset approved',
      body: (p: { time: string }) =>
        'Two-factor authentication will be removed from your account at or after ' +
        `${p.time}. All your sessions end then. If you didn’t ask for this, cancel it now.`,
    },
    canceled: {
      headline: '2FA reset canceled',
      body: 'Two-factor authentication of your account stays as it is.',
    },
    completed: {
      headline: 'Two-factor authentication removed',
      body: (p: { contact: string | undefined }) =>
        'All your sessions were ended and your devices removed. Sign in and set up two-factor ' +
        `authentication again now. If you didn’t ask for this, ${help(p.contact)}.`,
    },
    expired: {
      headline: '2FA reset expired',
      body:
        'No second admin approved it within 7 days, so two-factor authentication of your account ' +
        'stays as it is.',
    },
    cancel: 'Cancel the reset',
    openAccount: 'Open your account',
  },
  /** To the other admins. `user` is the user's first address. */
  admins: {
    requested: {
      headline: '2FA reset needs approval',
      body: (p: { user: string }) =>
        `An admin asked to remove two-factor authentication from ${p.user}. Check with that ` +
        'person, by phone or face to face. Then a second admin approves it in the console ' +
        'within 7 days, or cancels it.',
    },
    approved: {
      headline: '2FA reset approved',
      body: (p: { user: string; time: string }) =>
        `Two-factor authentication will be removed from ${p.user} at or after ${p.time}. ` +
        'Until then, any admin can cancel it in the console.',
    },
    canceled: {
      headline: '2FA reset canceled',
      body: (p: { user: string }) => `Two-factor authentication of ${p.user} stays as it is.`,
    },
    completed: {
      headline: '2FA reset completed',
      body: (p: { user: string }) =>
        `Two-factor authentication was removed from ${p.user}. Sessions were ended and devices ` +
        'removed.',
    },
    expired: {
      headline: '2FA reset expired',
      body: (p: { user: string }) =>
        `No second admin approved within 7 days. Two-factor authentication of ${p.user} stays ` +
        'as it is.',
    },
    open: 'Open in the console',
  },
  facts: { requestedBy: 'Requested by', approvedBy: 'Approved by' },
  page: {
    title: 'Cancel the 2FA reset?',
    lead:
      'Admins were asked to remove two-factor authentication from your account. If you didn’t ' +
      'ask for this, or can sign in again, cancel it. You don’t have to sign in for that.',
    submit: 'Cancel the reset',
    doneTitle: '2FA reset',
    done:
      'If a 2FA reset was waiting for this link, it is canceled, and your two-factor ' +
      'authentication stays as it is. A reset that has taken effect can’t be undone: sign in ' +
      'and set up two-factor authentication again.',
    account: 'Open your account',
    back: 'Go to sign-in',
  },
};
