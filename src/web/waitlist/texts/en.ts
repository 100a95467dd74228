/** Texts of the embedded waitlist form. `consent` is the sentence of the waitlist page. */
export const texts = {
  email: 'Email',
  name: 'Name (optional)',
  consentBefore: 'Email me about my place on the waitlist. I have read the ',
  privacy: 'privacy policy',
  submit: 'Join the waitlist',
  sent: 'Check your inbox: open the link in our email to save your place.',
  invalid: 'Enter your email address and agree to get emails.',
  busy: 'Too many attempts. Try again in a few minutes.',
  failed: 'That didn’t work. Try again in a moment.',
};
