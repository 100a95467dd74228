import { plural } from '../../../components/number-format.ts';

/** The page of all users. */
export const users = {
  title: 'Users',
  all: 'All users',
  matching: 'Matching users',
  found: (p: { count: number }) =>
    `${plural(p.count, 'user')} ${p.count === 1 ? 'matches' : 'match'}`,
  caption: 'Users, newest first',
  shown: (p: { count: number }) => `${plural(p.count, 'user')} on this page, newest first`,
  filters: {
    label: 'Users',
    text: 'Name, email or phone number',
    placeholder: 'Any part of it',
    role: 'Role',
    account: 'Account',
    any: 'Any',
    active: 'Active',
    disabled: 'Disabled',
    apply: 'Apply filters',
  },
  columns: {
    name: 'Name',
    contact: 'Contact',
    roles: 'Roles',
    factor: '2FA',
    lastSeen: 'Last seen',
    created: 'Created',
  },
  roles: { admin: 'Admin', viewer: 'Viewer' },
  factors: { none: 'Off', app: 'App', passkey: 'Passkey', both: 'App, passkey' },
  disabled: 'Disabled',
  noMatch: 'No users match these filters.',
  none: 'No users yet. The first sign-in creates one:',
};

/** How a session was started, by its first method (RFC 8176). */
export const signIns = {
  otp: 'Signed in with a code',
  fed: 'Signed in with an external account',
  hwk: 'Signed in with a passkey',
  swk: 'Signed in with a passkey',
  backup_code: 'Signed in with a backup code',
  setup: 'Signed in with the setup link',
  dev: 'Signed in with the development bypass',
  invitation: 'Signed in with an invitation',
};

/** The page of a user. */
export const user = {
  all: 'All users',
  about: {
    title: 'About',
    status: 'Status',
    active: 'Active',
    disabled: 'Disabled',
    disabledSince: 'Disabled since',
    roles: 'Roles',
    lastSeen: 'Last seen',
    created: 'Created',
    id: 'ID',
    plan: 'Plan',
    unnamedPlan: 'Unnamed',
    planStatus: 'Plan status',
    paidUntil: 'Paid until',
  },
  signIn: {
    title: 'Sign-in methods',
    email: 'Email',
    phone: 'Phone',
    idp: 'External account',
    factor: '2FA',
    factorOff: 'Off',
    app: 'Authenticator app',
    appUsed: 'Added <added></added>, last used <used></used>',
    appUnused: 'Added <added></added>, never used',
    passkeys: 'Passkeys',
    backupCodes: 'Backup codes',
    codesLeft: (p: { count: number }) => `${p.count} left`,
  },
  sessions: {
    title: (p: { count: number }) => plural(p.count, 'session'),
    caption: 'Sessions, newest first',
    hint: 'Ending a session can’t be undone. The person must sign in again.',
    columns: {
      client: 'Client',
      kind: 'Type',
      device: 'Device',
      method: 'Sign-in',
      started: 'Signed in',
      used: 'Last used',
    },
    current: 'This session',
    browser: 'Browser',
    app: 'App',
    factor: '2FA',
    otherMethod: (p: { methods: string }) => `Signed in with ${p.methods}`,
    end: 'End session',
    endAll: 'End all sessions',
    none: 'No active sessions',
  },
  devices: {
    title: (p: { count: number }) => plural(p.count, 'device'),
    caption: (p: { name: string }) => `Devices of ${p.name}`,
    all: 'All devices',
    none: 'No device has requested approval.',
  },
  roles: {
    title: 'Roles',
    caption: (p: { name: string }) => `Roles of ${p.name}`,
    columns: { role: 'Role', assigned: 'Assigned' },
    meanings: {
      admin: 'View and change everything.',
      viewer: 'View the overview, analytics, status and realtime.',
    },
    yes: 'Yes',
    no: 'No',
    make: { admin: 'Make admin', viewer: 'Make viewer' },
    makeWarning:
      'This person can then do everything in the console: read all data, change settings, invite ' +
      'people and make or remove admins.',
    remove: { admin: 'Remove admin role', viewer: 'Remove viewer role' },
    removeWarning: 'This person immediately loses access to all admin-only pages and actions.',
    configuredWarning:
      'ADMIN_EMAILS includes this address, so the next sign-in restores the role. ' +
      'Remove the address there too.',
    ownAdmin: 'Another admin must remove your role.',
  },
  account: {
    title: 'Account',
    enable: 'Enable account',
    disable: 'Disable account',
    disableWarning:
      'Ends all sessions and permanently removes all devices. ' +
      'This person can’t sign in until the account is enabled.',
    own: 'This is your account. Another admin can disable it.',
  },
  reset: {
    title: '2FA reset',
    hint:
      'For a person who lost every second factor. This takes two admins, and everyone ' +
      'involved is notified. You may need to sign in again.',
    own: 'This is your account. Two other admins can reset its 2FA.',
    nothing: 'This person has no second factor, so there is nothing to reset.',
    state: 'State',
    states: {
      requested: 'Needs approval',
      approved: 'Approved',
      completing: 'Taking effect',
      completed: 'Completed',
      canceled: 'Canceled',
      expired: 'Expired',
    },
    requestedBy: 'Requested by',
    approvedBy: 'Approved by',
    reason: 'Reason',
    reasonHint: 'How you verified the person’s identity. Other admins see this.',
    expires: 'Expires',
    takesEffect: 'Takes effect',
    ended: 'Ended',
    canceled: 'Canceled',
    causes: {
      admin: 'By an admin',
      user: 'By the person',
      link: 'With the link in a message',
      factor_used: 'The person used a second factor',
      admin_lost: 'An admin who took part is no longer an admin',
      user_disabled: 'The account was disabled',
    },
    unknown: 'Unknown',
    request: 'Request 2FA reset',
    requestWarning:
      'First verify who is asking, by phone or face to face: email can be read by others. ' +
      'After a second admin approves, it takes 24 hours.',
    approve: 'Approve 2FA reset',
    approveWarning:
      'Verify for yourself who is asking. In 24 hours, all second factors are removed, all ' +
      'sessions end and all devices are removed.',
    otherApproves: 'Another admin has to approve it.',
    completing: 'The factors are removed. Sessions and devices follow.',
    cancel: 'Cancel 2FA reset',
    /** `people` are links. */
    open: '2FA resets are open for <people></people>.',
  },
  entries: {
    title: 'Audit log',
    caption: 'Latest audit entries for this user',
    asTarget: 'Actions on this user',
    asActor: 'Actions by this user',
    none: 'No audit entries for this user',
  },
  notices: {
    session_ended: 'Session ended.',
    sessions_ended: 'All sessions ended.',
    admin_given: 'This person is now an admin.',
    admin_taken: 'Admin role removed.',
    viewer_given: 'This person is now a viewer.',
    viewer_taken: 'Viewer role removed.',
    disabled: 'Account disabled. All sessions ended and all devices were removed.',
    enabled: 'Account enabled.',
    reset_requested: '2FA reset requested. Another admin has to approve it.',
    reset_approved: '2FA reset approved. It takes effect in 24 hours.',
    reset_canceled: '2FA reset canceled.',
    suspended: 'Device suspended.',
    restored: 'Device restored.',
    revoked: 'Device removed.',
  },
};
