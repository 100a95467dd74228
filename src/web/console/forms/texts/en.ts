/** The texts of forms and drawers. */
export const texts = {
  forms: {
    failed: 'The request failed. Check your connection, then try again.',
  },
  drawer: {
    cancel: 'Cancel',
    close: 'Close',
    done: 'Done',
    question: 'Discard what you entered?',
    discard: 'Discard',
    keep: 'Keep editing',
  },
  stepUp: {
    noPasskeys: 'This browser can’t use passkeys here. Use another method.',
    failed: 'Your passkey couldn’t be read. Try again.',
  },
};
