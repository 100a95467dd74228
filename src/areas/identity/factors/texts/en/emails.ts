export const texts = {
  backupCodeUsed: {
    headline: 'Backup code used to sign in',
    body:
      'Someone used one of your backup codes. ' +
      'If this wasn’t you, sign in and end all sessions.',
  },
};
