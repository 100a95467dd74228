import { messages } from './user-messages.ts';
import { plural } from '../../../components/number-format.ts';

const people = (count: number): string => plural(count, 'person', 'people');

/** The page of all users. */
export const users = {
  title: 'Users',
  signUps: (p: { count: string }) => `Sign-ups ${p.count}`,
  tab: (p: { count: string }) => `Users ${p.count}`,
  all: 'All users',
  more: 'More',
  import: 'Import users',
  found: (p: { count: number }) =>
    p.count === 0
      ? 'No users match'
      : `${plural(p.count, 'user')} ${p.count === 1 ? 'matches' : 'match'}`,
  caption: 'Users',
  chip: (p: { text: string; count: string }) => `${p.text} ${p.count}`,
  filters: {
    label: 'Search users',
    text: 'Name, email or phone number',
    placeholder: 'Name, email or phone',
    chips: 'Filter',
    everyone: 'Everyone',
    admins: 'Admins',
    viewers: 'Viewers',
    apply: 'Search',
  },
  columns: {
    name: 'Person',
    roles: 'Role',
    factor: '2FA',
    lastSeen: 'Last seen',
    created: 'Joined',
  },
  roles: { admin: 'Admin', viewer: 'Viewer' },
  factors: { none: 'Off', app: 'App', passkey: 'Passkey', both: 'App, passkey' },
  disabled: 'Suspended',
  noMatch: 'Nobody matches. Check the spelling, or clear the filters.',
  none: 'No users yet. The first sign-in creates one:',
  bulk: {
    sign_out: 'Sign out everywhere',
    suspend: 'Suspend',
    resume: 'Resume',
    suspendTitle: (p: { count: number }) => `Suspend ${people(p.count)}?`,
    suspendSubmit: (p: { count: number }) => `Suspend ${people(p.count)}`,
    consequence: 'They are signed out at once, and can’t sign in until you resume the accounts.',
    leftOut: 'Your own account is left out.',
  },
  notices: {
    signed_out: 'Signed out everywhere.',
    suspended: 'Accounts suspended.',
    resumed: 'Accounts resumed.',
    deleted: 'Account deleted.',
    nobody: 'Select at least one person.',
  },
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
  actions: 'Actions',
  tabs: {
    label: 'About this person',
    overview: 'Overview',
    messages: 'Messages',
    devices: 'Sessions and devices',
    activity: 'Activity',
  },
  seen: 'Last seen <time></time>',
  neverSeen: 'Never signed in',
  menu: {
    edit: 'Edit profile',
    make: { admin: 'Make admin', viewer: 'Make viewer' },
    remove: { admin: 'Remove admin role', viewer: 'Remove viewer role' },
    signOut: 'Sign out everywhere',
    suspend: 'Suspend',
    resume: 'Resume',
    delete: 'Delete account',
  },
  edit: {
    title: (p: { name: string }) => `Edit ${p.name}`,
    name: 'Name',
    externalId: 'External ID (optional)',
    externalIdHint: 'How your other systems identify this person.',
    reached: 'Email and phone',
    reachedHint: 'Only this person can change these, on their account page.',
    noneReached: 'None',
    submit: 'Save',
  },
  suspend: {
    title: (p: { name: string }) => `Suspend ${p.name}?`,
    lead: (p: { name: string }) => `${p.name} can’t sign in until you resume the account.`,
    sessions: (p: { count: number }) =>
      p.count === 0
        ? 'Not signed in anywhere right now.'
        : `${plural(p.count, 'session')} will end now.`,
    devices: (p: { count: number }) =>
      p.count === 1
        ? '1 device will be removed. After you resume, it needs approval again.'
        : `${p.count} devices will be removed. After you resume, they need approval again.`,
    data: 'No data will be deleted.',
    submit: 'Suspend account',
  },
  delete: {
    title: (p: { name: string }) => `Delete ${p.name}?`,
    lead: 'This permanently deletes:',
    account: 'The account, its profile, sign-in methods and settings',
    sessions: (p: { count: number }) =>
      p.count === 0
        ? 'Not signed in anywhere right now'
        : `${plural(p.count, 'session')}, signed out`,
    devices: (p: { count: number }) => plural(p.count, 'device'),
    stays: 'Their actions stay in the audit log, without their name.',
    warning: 'This can’t be undone.',
    submit: 'Delete account',
  },
  about: {
    active: 'Active',
    disabled: 'Suspended',
    disabledSince: 'Suspended since',
    created: 'Joined',
    id: 'ID for the API',
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
  messages,
  sessions: {
    title: (p: { count: number }) => plural(p.count, 'session'),
    caption: 'Sessions, newest first',
    hint: 'Ending a session can’t be undone. The person must sign in again.',
    columns: {
      client: 'Device',
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
    caption: (p: { name: string }) => `${p.name}’s devices`,
    all: 'All devices',
    none: 'No device has requested approval.',
  },
  roles: {
    title: 'Access',
    meanings: {
      admin: 'View and change everything.',
      viewer: 'View the overview, analytics, status and realtime.',
    },
    given: 'Has this role',
    make: { admin: 'Make admin', viewer: 'Make viewer' },
    remove: { admin: 'Remove admin role', viewer: 'Remove viewer role' },
    makeTitle: {
      admin: (p: { name: string }) => `Make ${p.name} an admin?`,
      viewer: (p: { name: string }) => `Make ${p.name} a viewer?`,
    },
    removeTitle: {
      admin: (p: { name: string }) => `Remove ${p.name} as an admin?`,
      viewer: (p: { name: string }) => `Remove ${p.name} as a viewer?`,
    },
    can: {
      admin: {
        lead: 'An admin can:',
        list: [
          'See everything: people, messages, analytics, the audit log',
          'Change everything: settings, API keys, the status page',
          'Invite people and choose who is an admin',
        ],
      },
      viewer: {
        lead: 'A viewer can:',
        list: ['See the overview, analytics, the status page and realtime'],
      },
    },
    limits: {
      admin: undefined,
      viewer: 'A viewer can’t change anything, and can’t see users’ personal data.',
    },
    approval: 'They can open the console once an admin has approved their device.',
    undo: 'You can undo this at any time.',
    removeWarning: 'They’ll lose access to this role’s pages right away.',
    configuredWarning:
      'ADMIN_EMAILS includes this address, so the next sign-in restores the role. ' +
      'Remove the address there too.',
    ownAdmin: 'Another admin must remove your role.',
  },
  account: {
    active: 'Account',
    activeHint: 'Can sign in.',
    suspended: 'Suspended account',
    suspendedHint: 'Can’t sign in.',
  },
  reset: {
    title: '2FA reset',
    hint:
      'For someone who has lost every second factor. It takes two admins, and everyone involved ' +
      'is notified.',
    own: 'This is your account. Two other admins can reset its 2FA.',
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
      link: 'From the link in a message',
      factor_used: 'The person used a second factor',
      admin_lost: 'An admin who took part is no longer an admin',
      user_disabled: 'The account was suspended',
    },
    unknown: 'Unknown',
    request: 'Request 2FA reset',
    requestTitle: (p: { name: string }) => `Request a 2FA reset for ${p.name}?`,
    requestWarning:
      'First verify who is asking, by phone or face to face. Others may read their email. ' +
      'After a second admin approves, it takes 24 hours.',
    approve: 'Approve 2FA reset',
    approveTitle: (p: { name: string }) => `Approve the 2FA reset for ${p.name}?`,
    approveWarning:
      'Verify for yourself who is asking. In 24 hours, all second factors are removed, all ' +
      'sessions end and all devices are removed.',
    otherApproves: 'Another admin needs to approve it.',
    completing: 'Second factors are removed. Sessions and devices are next.',
    cancel: 'Cancel 2FA reset',
    /** `people` are links. */
    open: '2FA resets are open for <people></people>.',
  },
  entries: {
    title: 'Activity',
    all: 'View in the audit log',
    none: 'Nothing yet',
  },
  notices: {
    session_ended: 'Session ended.',
    sessions_ended: 'Signed out everywhere.',
    admin_given: 'This person is now an admin.',
    admin_taken: 'Admin role removed.',
    viewer_given: 'This person is now a viewer.',
    viewer_taken: 'Viewer role removed.',
    disabled: 'Account suspended and signed out everywhere.',
    enabled: 'Account resumed.',
    updated: 'Profile saved.',
    reset_requested: '2FA reset requested. Another admin needs to approve it.',
    reset_approved: '2FA reset approved. It takes effect in 24 hours.',
    reset_canceled: '2FA reset canceled.',
    suspended: 'Device suspended.',
    restored: 'Device restored.',
    removed: 'Device removed and signed out.',
    revoked: 'Device removed.',
    kept: 'Removal undone. The device is suspended again.',
  },
};
