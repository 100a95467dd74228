const help = (contact: string | undefined): string =>
  contact === undefined ? 'tell an admin immediately' : `write to ${contact} immediately`;

/** Texts of messages and of the page about 2FA resets. */
export const texts = {
  /** To the user, on every channel. */
  user: {
    requested: {
      headline: '2FA reset requested',
      body:
        'An admin asked to remove two-factor authentication from your account because you lost ' +
        'access to it. It will be removed 24 hours after a second admin approves. If you didn’t ' +
        'ask for this, cancel the reset now.',
    },
    approved: {
      headline: '2FA reset approved',
      body: (p: { time: string }) =>
        'Two-factor authentication will be removed from your account no earlier than ' +
        `${p.time}, and all your sessions will end. If you didn’t ask for this, cancel the ` +
        'reset now.',
    },
    canceled: {
      headline: '2FA reset canceled',
      body: 'Two-factor authentication on your account stays as it is.',
    },
    completed: {
      headline: 'Two-factor authentication removed',
      body: (p: { contact: string | undefined }) =>
        'All your sessions have ended and your devices were removed. Sign in now and set up ' +
        `two-factor authentication again. If you didn’t ask for this, ${help(p.contact)}.`,
    },
    expired: {
      headline: '2FA reset expired',
      body:
        'No second admin approved the reset within 7 days, so two-factor authentication on your ' +
        'account stays as it is.',
    },
    cancel: 'Cancel the reset',
    openAccount: 'Open your account',
  },
  /** To the other admins. `user` is the user's first address. */
  admins: {
    requested: {
      headline: '2FA reset needs approval',
      body: (p: { user: string }) =>
        `An admin asked to remove two-factor authentication for ${p.user}. Check with that ` +
        'person, by phone or face to face. A second admin then needs to approve or cancel the ' +
        'reset in the console within 7 days.',
    },
    approved: {
      headline: '2FA reset approved',
      body: (p: { user: string; time: string }) =>
        `Two-factor authentication will be removed for ${p.user} no earlier than ${p.time}. ` +
        'Until then, any admin can cancel the reset in the console.',
    },
    canceled: {
      headline: '2FA reset canceled',
      body: (p: { user: string }) => `Two-factor authentication for ${p.user} stays as it is.`,
    },
    completed: {
      headline: '2FA reset completed',
      body: (p: { user: string }) =>
        `Two-factor authentication was removed for ${p.user}. All their sessions have ended and ` +
        'their devices were removed.',
    },
    expired: {
      headline: '2FA reset expired',
      body: (p: { user: string }) =>
        'No second admin approved the reset within 7 days. Two-factor authentication for ' +
        `${p.user} stays as it is.`,
    },
    open: 'Open in the console',
  },
  facts: { requestedBy: 'Requested by', approvedBy: 'Approved by' },
  page: {
    title: 'Cancel the 2FA reset?',
    lead:
      'An admin asked to remove two-factor authentication from your account. If you didn’t ask ' +
      'for this, or you can sign in again, cancel the reset. You don’t have to sign in first.',
    submit: 'Cancel the reset',
    doneTitle: '2FA reset',
    done:
      'If a 2FA reset was pending, it’s now canceled, and your two-factor authentication stays ' +
      'as it is. A reset that has already taken effect can’t be undone: sign in and set up ' +
      'two-factor authentication again.',
    account: 'Open your account',
    back: 'Go to sign-in',
  },
};
