/** Texts of the page that accepts an invitation. */
export const texts = {
  roles: { admin: 'Admin', viewer: 'Viewer' },
  accept: {
    title: (p: { app: string }) => `You’re invited to ${p.app}`,
    /** `email` is the invited address. */
    lead: 'Accept to sign in as <email></email>.',
    role: (p: { role: string }) => `Your role: ${p.role}`,
    note: 'Note from the person who invited you:',
    submit: 'Accept invitation',
  },
  other: {
    title: 'This invitation is for someone else',
    /** `email` is the invited address. */
    lead:
      'You’re signed in with another account. To accept the invitation, sign out and continue ' +
      'as <email></email>. Your current account stays as it is.',
    switch: (p: { email: string }) => `Sign in as ${p.email}`,
    account: 'Back to your account',
  },
  /** Of a link that has expired. Used and withdrawn ones are forgotten. */
  gone: {
    expired: 'This invitation has expired',
    ask: (p: { inviter: string }) => `Ask ${p.inviter} for a new one.`,
    askAnyone: 'Ask the person who invited you for a new one.',
  },
  errors: {
    back: 'Go to sign-in',
    linkTitle: 'This invitation can’t be used',
    link: 'Check that you opened the whole link, or ask the person who invited you for a new one.',
  },
};
