/** Texts of the device pages. An approved device is called approved there. */
export const texts = {
  program: {
    unknown: 'Unknown browser',
    browserOn: (p: { browser: string; system: string }) => `${p.browser} on ${p.system}`,
    unknownCountry: 'Unknown',
  },
  /** How a device proves that it is the same one. */
  bindings: {
    fingerprint: 'Browser details only',
    cookie: 'Cookie',
    key: 'Browser key',
    webauthn: 'Browser key and device passkey',
  },
  devices: {
    title: 'Devices',
    back: 'Go to your devices',
    thisDevice: 'This device',
    otherDevices: 'Other devices',
    noOthers: 'You have no other devices.',
    requests: 'Device requests',
    restored: 'Device restored. Copies of its old cookie no longer work.',
    suspended: 'Device suspended.',
    removed: 'Device removed. Its sessions have ended.',
    othersRemoved: 'All other devices removed. Their sessions have ended.',
    renamed: 'Device renamed.',
    needsApproval: 'The page you wanted to open requires an approved device.',
    /** `link` leads to the page that the person came for. */
    continue: 'This device is approved. <link>Continue</link>',
  },
  states: {
    pending: 'Awaiting approval',
    cleared: 'Approved',
    expired: 'Approval expired',
    suspended: 'Suspended',
    denied: 'Denied',
    revoked: 'Removed',
  },
  facts: {
    name: 'Name',
    /** `seen` is a time. */
    seen: 'last seen <seen></seen>',
    approved: 'Approved',
    expires: 'Expires',
    binding: 'Identified by',
    unknown: 'Unknown',
    never: 'Never',
    /** `unused` and `latest` are times. */
    expiresUnused: '<unused></unused> if unused, <latest></latest> at the latest',
  },
  actions: {
    rename: 'Rename',
    renameTitle: (p: { name: string }) => `Rename “${p.name}”`,
    saveName: 'Save name',
    close: 'Close',
    newName: 'New name',
    nameMissing: 'Enter a name.',
    suspend: 'Suspend',
    remove: 'Remove',
    removeThis: 'Remove this device and sign out',
    removeOthers: 'Remove all other devices',
    removeAndAsk: 'Remove device and start over',
  },
  ask: {
    name: 'Device name',
    nameHint: (p: { client: string }) => `Optional. Default: ${p.client}.`,
    reason: 'Reason',
    reasonHint: 'Optional. Shown to the approving admin.',
    request: 'Request approval',
    again: 'Request approval again',
  },
  helpers: {
    /** `link` leads to the guide. */
    none: 'No other admin has an approved device yet. <link>How to approve the first device</link>',
    /** `names` is a list of admins. */
    some: '<names></names> can approve it.',
  },
  unknown: {
    state: 'One more step: an admin needs to approve this browser.',
    notRequired: 'This device is unknown. This service doesn’t require approval at the moment.',
    text:
      'When you request approval, you’ll get a number. Give it to an admin who knows you. Once ' +
      'they approve this browser, this page continues automatically.',
  },
  expired: {
    state: 'This device’s approval has expired, or no admin responded to your request in time.',
  },
  pending: {
    state: 'This device is awaiting approval.',
    tell:
      'Give this number only to an admin you contact yourself, in person or by phone. ' +
      'Don’t give it to anyone who contacts you and asks for it.',
    /** `end` is a time. */
    where:
      'The admin enters the number under Devices in the console. This page then continues ' +
      'automatically. The request expires <end></end>.',
    binding: (p: { binding: string }) => `Identified by: ${p.binding}.`,
    reload: 'Reload this page to see the decision.',
    withdraw: 'Withdraw request and sign out',
  },
  cleared: {
    state: 'This device is approved.',
    tooWeak:
      'Admin actions require stronger protection than this device has. Remove the ' +
      'device, then request approval again with JavaScript turned on.',
    needsScript: 'Admin actions require JavaScript, so that this device can prove its identity.',
  },
  suspended: {
    state: 'This device is suspended.',
    text: 'Admin actions are blocked on this device. Reasons:',
    byAdmin: 'Ask an admin to restore it. You can’t restore it yourself.',
    noFactor:
      'You have no second factor, so you can’t restore this device yourself. Ask an admin ' +
      'to restore it.',
    restoreText:
      'If this was you, restore the device. You’ll sign in with your second factor first. ' +
      'The device gets a new cookie, so copies of the old one stop working.',
    restore: 'Restore device',
    lostKey:
      'If this browser lost its key, for example because its data was deleted, remove the ' +
      'device. This signs you out. Then request approval as a new device.',
  },
  denied: {
    state: 'The approval request for this device was denied.',
    text:
      'This decision is final. Remove the device, which signs you out. Then sign in and ' +
      'request approval as a new device.',
  },
  removed: {
    state: 'This device was removed.',
    text: 'A removed device can’t be restored. Request approval as a new device.',
  },
  passkey: {
    needed:
      'Admin actions also require a passkey on this device. It must be stored only on ' +
      'this device, not synced, and must verify you by fingerprint, face or PIN.',
    possible:
      'You can protect this device with a passkey. It must be stored only on this device, not ' +
      'synced, and must verify you by fingerprint, face or PIN.',
    again:
      'To take admin actions, confirm with your device passkey again. Use your ' +
      'fingerprint, face or PIN. The confirmation lasts 12 hours in the same session.',
    add: 'Add a passkey in your account',
    use: 'Use device passkey',
  },
  requests: {
    title: 'Device requests',
    back: 'Go to device requests',
    approvedNotice: 'Device approved.',
    deniedNotice: 'Request denied.',
    open: 'Pending',
    noneOpen: 'No pending requests.',
    decided: 'Decided',
    noneDecided: 'No decisions yet.',
    devices: 'Your devices',
    openConsole: 'Open console',
    noName: 'Unnamed person',
    ownRequest: 'This is your own request, so another admin needs to decide.',
    thirdWrong: 'That was the third wrong number, so the request was denied.',
    numberError: 'Enter the two digits shown on the device.',
    wrongNumber:
      'The device shows a different number. Ask its owner again. ' +
      'After three wrong numbers, the request is denied.',
    /** A decided request: its device and person. */
    deviceOf: (p: { device: string; person: string }) => `${p.device}, ${p.person}`,
    note: (p: { note: string }) => `Note: ${p.note}`,
  },
  request: {
    device: 'Device',
    browser: 'Browser',
    binding: 'Identified by',
    network: 'Network',
    country: 'Country',
    reason: 'Reason',
    since: 'Requested',
    ends: 'Expires',
    unknown: 'Unknown',
    noReason: 'None given',
  },
  decision: {
    number: 'Number on the device',
    numberHint: 'Ask by phone or in person. Messages can be faked.',
    numberTitle: 'Two digits',
    note: 'Note',
    noteHint: 'Optional. Shown to other admins.',
    approve: 'Approve',
    deny: 'Deny',
    denyTitle: (p: { device: string }) => `Deny ${p.device}?`,
  },
  verdicts: {
    approved: 'Approved',
    denied: 'Denied',
    expired: 'Expired without a decision',
    approvedByYou: 'Approved by you',
    approvedByKey: 'Approved with the admin key',
    approvedByAdmin: 'Approved by another admin',
    deniedByYou: 'Denied by you',
    deniedByKey: 'Denied with the admin key',
    deniedByAdmin: 'Denied by another admin',
  },
  problems: {
    proof:
      'Your browser couldn’t prove its identity. Check that its clock is right, reload the ' +
      'page and try again.',
    notThisDevice:
      'Restore a suspended device from the device itself, or ask an admin. If the device lost ' +
      'its key, remove the device and request approval again.',
    tooManyRequests:
      'You’ve requested approval too often. Wait a while, or remove devices awaiting approval.',
    denied:
      'The approval request for this device was denied. Remove the device and request approval ' +
      'as a new device.',
    suspended: 'This device is suspended. Restore it with your second factor, or ask an admin.',
    decided: 'This request was already decided or withdrawn, or it has expired.',
    ownRequest: 'You can’t approve or deny your own device. Ask another admin.',
  },
};
