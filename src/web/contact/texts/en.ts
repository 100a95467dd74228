/** Texts of the script of the contact form. */
export const texts = {
  checking: (p: { percent: number }) =>
    `Checking your browser, ${p.percent}% done. This takes a moment.`,
  sending: 'Sending your message.',
};
