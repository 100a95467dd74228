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
      'Codes can’t be sent at the moment: neither email nor SMS is set up. ' +
      'Ask an admin, or sign in another way.',
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
      change: 'Use a different email address',
    },
    phone: {
      label: 'Phone number',
      hint: `We’ll send you a code. Start with the country code: ${phoneExample}.`,
      error: `Enter a phone number with its country code, like ${phoneExample}.`,
      change: 'Use a different phone number',
    },
    noChannel:
      'We can’t send codes because neither email nor SMS is set up. Ask an admin to set one up.',
  },
  footer: { privacy: 'Privacy', status: 'Status', signUp: 'Sign up' },
  development: {
    title: 'Development only',
    text: 'Sign in without a code, from this machine only. This is never offered in production.',
    continueAs: (p: { address: string }) => `Continue as ${p.address}`,
    others: 'To sign in as someone else, replace the address in the link.',
  },
  signInNotices: {
    fresh: 'To continue, confirm it’s you by signing in again.',
    secondFactor: 'Sign in with your second factor, then try again.',
    signedOut: 'You’re signed out.',
    idpRefused:
      'Sign-in with your company account was canceled or refused. Try again, or sign in ' +
      'another way.',
  },
  refusals: {
    rateLimited: (p: { wait: string }) =>
      `Too many codes requested. Wait ${p.wait}, then request another.`,
    code: 'This code is wrong or has expired. Enter your newest code.',
    noCode: 'This code is incomplete. Check the code and try again.',
    passkey: 'Your passkey wasn’t accepted. Try again, or use a code.',
    budget: 'We can’t send more codes today. Try again tomorrow, or sign in another way.',
    expired: 'This sign-in took too long and expired. Start again.',
  },
  code: {
    title: 'Enter your code',
    /** `to` is a masked address or number. */
    sent: 'We sent a code to <to></to>.',
    label: 'Code',
    hint: (p: { minutes: number }) => `6 digits. Valid for ${p.minutes} minutes.`,
    signIn: 'Sign in',
    signUp: 'Create account',
    otherAddress: 'Use a different email address',
    noCode: 'No code after a minute? Check your spam folder, or request a new code.',
    resend: 'Send new code',
    stillWorks: 'Your last code still works.',
  },
  secondFactor: {
    title: 'Two-factor authentication',
    app: {
      label: 'Code from your app, or a backup code',
      hint: 'Enter the 6-digit code from your authenticator app.',
    },
    backup: { label: 'Backup code', hint: 'Enter one of the backup codes you saved.' },
    signIn: 'Sign in',
    usePasskey: 'Use passkey',
    withoutScript: 'Passkeys require JavaScript. Without it, enter a code.',
    restart: 'Start again',
    lost: 'Lost all your second factors?',
    lostHelp:
      'Two admins can reset your two-factor authentication. You’ll get a message at each of ' +
      'your addresses and numbers, and you can sign in a day later.',
    askAdmin: 'Ask an admin.',
    /** `contact` is an email address with a link. */
    askContact: 'Write to <contact></contact>.',
  },
  account: {
    back: 'Go to your account',
    sessionEnded: 'Session ended.',
    othersEnded: 'Signed out everywhere else.',
    totpConfirmed: 'Authenticator app set up. All other sessions ended.',
    totpRemoved: 'Authenticator app removed. All other sessions ended.',
    passkeyAdded: 'Passkey added. All other sessions ended.',
    passkeyRemoved: 'Passkey removed. All other sessions ended.',
    passkeyRefused: 'Your passkey wasn’t accepted, and nothing was changed. Try again.',
  },
  profile: {
    title: 'Profile',
    about: 'About you',
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    timeZone: 'Time zone',
    none: 'Not set',
    edit: 'Edit',
    add: 'Add',
    /** For screen readers: what `label` is about. */
    change: (p: { label: string; about: string }) => `${p.label} ${p.about.toLowerCase()}`,
    saved: 'Profile saved.',
  },
  editProfile: {
    title: 'Edit profile',
    nameHint: 'Up to 100 characters. Shown to admins of this service.',
    timeZoneHint: 'Used for dates in messages to you.',
    noTimeZone: 'Not set',
    save: 'Save profile',
    errors: {
      name: 'Enter a name of up to 100 characters, on one line, or leave it empty.',
      zoneinfo: 'Choose a time zone from the list.',
    },
  },
  picture: {
    title: 'Picture',
    none: 'No picture yet. Upload one to show it next to your name.',
    some: 'Shown next to your name.',
    label: 'Picture file',
    hint: 'JPEG, PNG or WebP, up to 5 MB. We crop it to a square and remove its metadata.',
    upload: 'Upload picture',
    remove: 'Remove picture',
    uploaded: 'Picture uploaded.',
    removed: 'Picture removed.',
  },
  contact: {
    email: {
      title: 'Change email address',
      label: 'New email address',
      hint:
        'We’ll send you a code. Once you enter it, you’ll sign in with this address instead of ' +
        'your old one.',
      changed: 'Email address saved. We’ve sent you a message about the change.',
      restart: 'Use a different email address',
      taken:
        'Another account already uses this email address. Sign in to that account, or enter a ' +
        'different address.',
      first: {
        title: 'Add email address',
        label: 'Email address',
        hint: 'We’ll send you a code. Once you enter it, you can also sign in with this address.',
      },
      error: 'Enter an email address like name@example.com.',
    },
    phone: {
      title: 'Change phone number',
      label: 'New phone number',
      hint:
        'Start with the country code. We’ll text you a code. Once you enter it, you’ll sign in ' +
        'with this number instead of your old one.',
      changed: 'Phone number saved. We’ve sent you a message about the change.',
      restart: 'Use a different phone number',
      taken:
        'Another account already uses this phone number. Sign in to that account, or enter a ' +
        'different number.',
      first: {
        title: 'Add phone number',
        label: 'Phone number',
        hint:
          'Start with the country code. We’ll text you a code. Once you enter it, you can also ' +
          'sign in with this number.',
      },
      error: `Enter a phone number with its country code, like ${phoneExample}.`,
    },
    send: 'Send code',
    codeTitle: 'Enter your code',
    /** `to` is the address or number, as the person typed it. */
    sent: 'We sent a code to <to></to>. Nothing changes until you enter it.',
    codeLabel: 'Code',
    codeHint: '6 digits. Valid for 5 minutes, in this browser only.',
    codeError: 'This code is wrong or has expired. Enter your newest code, or start again.',
    noCode: 'Enter the 6 digits of the code.',
    confirm: 'Confirm code',
  },
  data: {
    title: 'Your data',
    copy: 'Copy of your data',
    none: 'Get a zip file with everything this service knows about you.',
    start: 'Create a copy of your data',
    /** `done` and `total` are numbers. */
    running: (p: { done: number; total: number }) =>
      `We’re collecting your data: ${p.done} of ${p.total} parts are done. We’ll send you a ` +
      'message when it’s ready. Reload this page to see the progress.',
    /** `until` is a time. */
    ready: 'Your data is ready. You can download it until <until></until>.',
    failed: 'We couldn’t create the copy. Please try again.',
    download: 'Download your data',
    started: 'We’ve started collecting your data.',
  },
  deletion: {
    title: 'Delete account',
    text:
      'Your account and its data will be deleted 14 days after you request it. Until then, you ' +
      'can change your mind.',
    open: 'Delete account',
    /** `date` is a time. */
    due: 'Your account will be deleted on <date></date>.',
    keep: 'Keep my account',
    kept: 'Your account won’t be deleted.',
    scheduled: 'Your account will be deleted. We sent you a message about it.',
  },
  factorReset: {
    requested:
      'An admin asked to remove two-factor authentication from your account. A second admin ' +
      'has to approve it.',
    /** `time` is a time. */
    approved: 'Admins will remove two-factor authentication from your account at <time></time>.',
    cancel: 'Cancel 2FA reset',
    canceled: '2FA reset canceled. Two-factor authentication stays as it is.',
  },
  confirmDeletion: {
    title: 'Delete your account?',
    steps: [
      'All other sessions will end now, and we’ll send you a message.',
      'For 14 days, you can still sign in and keep your account.',
      'After that, your account, devices, second factors and data will be deleted. This can’t be ' +
        'undone.',
      'The audit log keeps a record of your actions for 400 days, without your name or IP ' +
        'addresses.',
    ],
    lastAdmin: 'You’re the only admin. Make someone else an admin first.',
    copyFirst: 'Create a copy of your data first',
    confirm: 'Delete my account',
  },
  security: {
    title: 'Security',
    factors: 'Two-factor authentication',
    hint: 'A second step at sign-in, so that access to your email alone isn’t enough.',
    on: 'On',
  },
  app: {
    title: 'Authenticator app',
    none: 'Set up an authenticator app to use it as a second factor.',
    setUp: 'Set up authenticator app',
    /** `since` is a time. */
    isSetUp: 'Set up <since></since>. We’ll ask for a code from the app each time you sign in.',
    remove: 'Remove authenticator app',
  },
  backupCodes: {
    title: 'Backup codes',
    none: 'You have no backup codes. Create some in case you lose your app or passkey.',
    left: (p: { count: number }) => `Backup codes left: ${p.count}.`,
    fewLeft: (p: { count: number }) => `Backup codes left: ${p.count}. Create new ones soon.`,
    use: 'Each code works once, in place of your app or passkey. New codes replace the old ones.',
    create: 'Create backup codes',
  },
  passkeys: {
    title: 'Passkeys',
    none: 'Add a passkey to use your device or a security key as a second factor.',
    some: 'We’ll ask for one of your passkeys each time you sign in.',
    backedUp: (p: { name: string }) => `${p.name} (backed up)`,
    /** `added` and `used` are times. */
    used: 'Added <added></added>. Last used <used></used>.',
    unused: 'Added <added></added>. Not used yet.',
    remove: 'Remove passkey',
    unavailable:
      'Passkeys aren’t available because this service’s address is an IP address, not a ' +
      'hostname.',
    name: 'Name',
    nameHint: 'Optional. For example, the device that stores the passkey.',
    add: 'Add passkey',
    withoutScript:
      'Adding a passkey requires JavaScript. Everything else on this page works without it.',
  },
  sessions: {
    title: 'Sessions',
    where: 'Where you’re signed in',
    hint: 'Sign out of any session that you don’t recognize.',
    current: 'This device',
    /** `used` is a time. */
    lastActive: 'Last active <used></used>',
    /** `started` is a time. */
    signedIn: 'Active now · Signed in <started></started>',
    end: 'Sign out',
    endOthers: 'Sign out everywhere else',
  },
  enrolApp: {
    title: 'Set up authenticator app',
    scan: 'Scan this QR code with your authenticator app.',
    image: 'QR code for the key below',
    /** `key` is the secret. */
    key: 'Or enter this key in the app: <key></key>',
    label: 'Code',
    hint: 'Enter the 6-digit code from your app.',
    error: 'This code is wrong. Enter the code your app shows now.',
    noCode: 'Enter the 6 digits that your app shows.',
    confirm: 'Confirm code',
    cancel: 'Cancel',
  },
  newBackupCodes: {
    title: 'Your backup codes',
    keep:
      'Save these codes in a safe place. Each works once, in place of your app or passkey. ' +
      'We won’t show them again.',
    copy: 'Copy',
    download: 'Download',
    print: 'Print',
    fileName: 'backup-codes.txt',
    fileTitle: (p: { app: string }) => `Backup codes for ${p.app}. Each works once.`,
    back: 'I’ve saved them',
  },
};
