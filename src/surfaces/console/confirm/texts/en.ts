/** Texts of the form that asks who is at a session before it changes something sensitive. */
export const texts = {
  title: 'Confirm it’s you',
  sent: (p: { to: string }) => `Enter the code we sent to ${p.to}.`,
  alreadySent: (p: { to: string }) =>
    `Enter the newest code we sent to ${p.to}. You can ask for another one in a minute.`,
  app: 'Enter the code from your authenticator app.',
  passkey: 'Use the passkey that you sign in with.',
  again: 'Check the code, then enter it again.',
  code: 'Code',
  confirm: 'Confirm',
  usePasskey: 'Use passkey',
  resend: 'Send a new code',
  wrong: 'This code is wrong or has expired.',
  passkeyRefused: 'This passkey was not accepted. Try again.',
  hint: 'We ask again after 30 minutes.',
};
