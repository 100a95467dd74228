/** The texts that the script for passkeys adds. */
export const texts = {
  exists: 'This device already has a passkey for your account.',
  wrongAddress: 'Passkeys don’t work at this address.',
  unsupported: 'This browser can’t use passkeys on this site. Update it, or use a code.',
  failed: 'Your passkey couldn’t be used. Try again.',
};
