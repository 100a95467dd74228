/** The texts that the script of the device pages adds. */
export const texts = {
  noKey: 'Your browser couldn’t read its device key. Restart the browser, then reload this page.',
  proofRefused:
    'The server didn’t accept this browser’s key. Check that your device’s clock is ' +
    'right, then reload this page.',
  failed: 'The request failed. Reload this page and try again.',
  rateLimited: 'Too many attempts. Wait a few minutes, then try again.',
  passkey: {
    refused:
      'Passkey not accepted. Use one that is stored only on this device, isn’t synced, and ' +
      'verifies you by fingerprint, face or PIN.',
    unsupported:
      'This browser doesn’t support passkeys on this page. Update the browser, then try ' +
      'again.',
    accepted: 'Passkey accepted.',
  },
};
