/** The texts of what several scripts share. */
export const texts = {
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Couldn’t copy',
};
