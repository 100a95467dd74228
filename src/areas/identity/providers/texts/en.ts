/** Texts of the page that makes the first admin. */
export const texts = {
  setup: {
    title: (p: { app: string }) => `Become the first admin of ${p.app}`,
    text: (p: { app: string }) => `${p.app} has no admin yet. This link works once.`,
    email: 'Email',
    submit: 'Become an admin',
  },
  errors: { back: 'Go to sign-in' },
};
