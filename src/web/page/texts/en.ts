/** The texts that several scripts share. */
export const texts = {
  copy: {
    action: 'Copy',
    done: 'Copied',
    failed: 'Couldn’t copy',
  },
  times: {
    today: (p: { time: string }) => `Today, ${p.time}`,
    yesterday: (p: { time: string }) => `Yesterday, ${p.time}`,
    /** After other words of a line. */
    inLine: {
      today: (p: { time: string }) => `today, ${p.time}`,
      yesterday: (p: { time: string }) => `yesterday, ${p.time}`,
    },
  },
  passkeys: {
    notAllowed: 'Canceled or timed out. Nothing was changed. Try again.',
    aborted: 'Canceled. Nothing was changed. Try again.',
    otherOrigin: (p: { origin: string }) =>
      `Passkeys only work at ${p.origin}. Open that address and try again.`,
  },
};
