const phoneExample = '+1 415 555 0132';

/** Texts of the pages for signing in and of the account. */
export const texts = {
  signIn: {
    title: 'Sign in',
    heading: (p: { app: string }) => `Sign in to ${p.app}`,
    description: 'Sign in to your account. No password needed.',
    sendCode: 'Send code',
    company: 'Continue with company account',
    noChannel:
      'You can’t sign in with a code because this service can’t send email or SMS yet. ' +
      'Its operator has to set up one of them.',
    back: 'Go to sign-in',
  },
  identifier: {
    both: {
      label: 'Email or phone number',
      hint: `We’ll send you a code. Start phone numbers with the country code: ${phoneExample}.`,
      error:
        'Enter an email address like name@example.com, or a phone number with its country ' +
        `code like ${phoneExample}.`,
      change: 'Use a different email or phone number',
    },
    email: {
      label: 'Email',
      hint: 'We’ll send you a code.',
      error: 'Enter an email address like name@example.com.',
      change: 'Use a different email',
    },
    phone: {
      label: 'Phone number',
      hint: `We’ll send you a code. Start with the country code: ${phoneExample}.`,
      error: `Enter a phone number with its country code, like ${phoneExample}.`,
      change: 'Use a different phone number',
    },
    noChannel: 'This service can’t send codes.',
  },
  footer: { privacy: 'Privacy', status: 'Status', signUp: 'Sign up' },
  development: {
    title: 'Development only',
    text: 'Sign in without a code, from this machine only. This is never offered in production.',
    continueAs: (p: { address: string }) => `Continue as ${p.address}`,
    others: 'To sign in as someone else, replace the address in the link.',
  },
  signInNotices: {
    fresh: 'Your last sign-in was more than five minutes ago. Sign in again, then retry.',
    secondFactor: 'Sign in with your second factor, then retry.',
    signedOut: 'You are signed out.',
    idpRefused: 'The company sign-in was cancelled or refused. Try again, or sign in another way.',
  },
  refusals: {
    rateLimited: (p: { wait: string }) =>
      `Too many codes requested. Wait ${p.wait}, then request another.`,
    code: 'This code is wrong or expired. Enter your newest code.',
    passkey: 'Your passkey wasn’t accepted. Try again, or use a code.',
    budget: 'We can’t send more codes today. Try again tomorrow, or sign in another way.',
    expired: 'This sign-in has expired. Start again.',
  },
  code: {
    title: 'Enter your code',
    /** `to` is a masked address or number. */
    sent: 'We sent a code to <to></to>.',
    label: 'Code',
    hint: (p: { minutes: number }) => `6 digits. Works once, within ${p.minutes} minutes.`,
    signIn: 'Sign in',
    noCode: 'No code after a minute? Check your spam folder, or send a new code.',
    resend: 'Send new code',
    stillWorks: 'Your last code still works.',
  },
  secondFactor: {
    title: 'Two-factor authentication',
    app: {
      label: 'Code from your app, or a backup code',
      hint: 'Enter the 6 digits your authenticator app shows.',
    },
    backup: { label: 'Backup code', hint: 'Enter one of the backup codes you saved.' },
    signIn: 'Sign in',
    usePasskey: 'Use passkey',
    withoutScript: 'Passkeys require JavaScript. Enter a code instead.',
    restart: 'Start again',
  },
  account: {
    title: 'Your account',
    back: 'Go to your account',
    sessionEnded: 'Session ended.',
    othersEnded: 'All other sessions ended.',
    totpConfirmed: 'Authenticator app set up. All other sessions ended.',
    totpRemoved: 'Authenticator app removed. All other sessions ended.',
    passkeyAdded: 'Passkey added. All other sessions ended.',
    passkeyRemoved: 'Passkey removed. All other sessions ended.',
    passkeyRefused: 'Your passkey wasn’t accepted, and nothing was changed. Try again.',
  },
  profile: {
    title: 'Profile',
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    openConsole: 'Open console',
    signOut: 'Sign out',
  },
  security: { title: 'Security' },
  app: {
    title: 'Authenticator app',
    none: 'No authenticator app is set up. Use one as a second factor.',
    setUp: 'Set up authenticator app',
    /** `since` is a time. */
    isSetUp: 'Set up <since></since>. We ask for a code from it at each sign-in.',
    remove: 'Remove authenticator app',
  },
  backupCodes: {
    title: 'Backup codes',
    none: 'You have no backup codes.',
    left: (p: { count: number }) => `Backup codes left: ${p.count}.`,
    fewLeft: (p: { count: number }) => `Backup codes left: ${p.count}. Create new ones soon.`,
    use: 'Each code works once, in place of your app or passkey. New codes replace the old ones.',
    create: 'Create backup codes',
  },
  passkeys: {
    title: 'Passkeys',
    none: 'You have no passkeys. Use your device or a security key as a second factor.',
    some: 'Each passkey is a second factor. We ask for one at each sign-in.',
    backedUp: (p: { name: string }) => `${p.name} (backed up)`,
    /** `added` and `used` are times. */
    used: 'Added <added></added>. Last used <used></used>.',
    unused: 'Added <added></added>. Not used yet.',
    remove: 'Remove passkey',
    unavailable: 'Passkeys don’t work here, because this service has no host name.',
    name: 'Name',
    nameHint: 'Optional. For example, the device it’s on.',
    add: 'Add passkey',
    withoutScript:
      'Adding a passkey requires JavaScript. Everything else on this page works without it.',
  },
  devices: {
    title: 'Devices',
    text: 'Admin actions can require an approved device.',
    own: 'Your devices',
    requests: 'Device requests',
  },
  sessions: {
    title: 'Sessions',
    current: 'This device',
    /** `used` is a time. */
    lastActive: 'Last active <used></used>',
    end: 'End session',
    endOthers: 'End all other sessions',
  },
  enrolApp: {
    title: 'Set up authenticator app',
    scan: 'Scan this QR code with your authenticator app.',
    image: 'QR code of the key below',
    /** `key` is the secret. */
    key: 'Or enter this key in the app: <key></key>',
    label: 'Code',
    hint: 'Enter the 6 digits your app shows.',
    error: 'This code is wrong. Enter the code your app shows now.',
    confirm: 'Confirm code',
    cancel: 'Cancel',
  },
  newBackupCodes: {
    title: 'Your backup codes',
    keep:
      'Save these codes in a safe place. Each works once, in place of your app or passkey. ' +
      'We won’t show them again.',
    back: 'Go to your account',
  },
};
