/** What was sent to a person, and what happened to codes. */
export const messages = {
  title: 'Sent to this person',
  hint:
    'Emails and text messages of the last 30 days, and what happened to codes. What the ' +
    'messages say is not stored.',
  none: 'Nothing was sent to this person in the last 30 days.',
  columns: { what: 'Message', outcome: 'What happened', at: 'When' },
  channels: { email: 'Email', sms: 'Text message' },
  by: (p: { channel: string; to: string }) => `${p.channel} to ${p.to}`,
  templates: {
    sign_in_code: 'Sign-in code',
    contact_code: 'Code for a new address or number',
    account_notice: 'Notice about the account',
    test_message: 'Test message',
    signup_confirm: 'Sign-up confirmation',
    invitation: 'Invitation',
    contact_reply: 'Answer to a contact message',
    contact_notice: 'Notice of contact messages',
    status_confirm: 'Status updates: confirmation',
    status_update: 'Status update',
    waitlist_confirm: 'Waitlist confirmation',
    waitlist_place: 'Place on the waitlist',
    waitlist_invitation: 'Waitlist invitation',
    analytics_report: 'Analytics report',
    other: 'Message',
  },
  outcomes: {
    queued: 'On its way',
    sent: 'Sent',
    failed: 'Not delivered',
    expired: 'Not sent',
  },
  whys: {
    retried: 'A first attempt failed. We are trying again.',
    kept: 'Kept in the outbox of development, not sent.',
    expired: 'It expired before it could be sent.',
  },
  failures: {
    refused: 'The receiving mail server refused it. Check the address.',
    busy: 'The mail server was busy, also after several attempts.',
    rejected: 'The provider refused it. Check the address or number.',
    down: 'The provider did not work, also after several attempts.',
    timeout: 'The provider did not answer in time.',
    not_configured: 'No provider is set up for this kind of message.',
    other: 'The provider reported an error.',
  },
  /** What happened to a code, by the action in the audit log. */
  codes: {
    'otp.refused': 'Not sent',
    'otp.verified': 'Right code entered',
    'otp.failed': 'Wrong code entered',
    'otp.locked': 'Codes locked',
    'otp.closed': 'Codes turned off',
    'otp.reopened': 'Codes turned on again',
  },
  codeWhys: {
    'otp.locked': 'Too many wrong codes were entered. Codes work again in a while.',
    'otp.closed':
      'Too many wrong codes in a row. Codes work again after the person signs in another way.',
  },
  reasons: {
    locked: 'Too many wrong codes were entered before. Codes work again in a while.',
    limited: 'Too many codes were requested for this address or number in a short time.',
    budget: 'The codes of the day were used up.',
    share: 'Too many codes were requested from one network.',
    muted: 'Codes are not sent to this number or its country.',
    kept: 'The rest of the codes of the day is kept for people with an account.',
    review_account: 'The review account signs in with its fixed code.',
    'users.sign_up_closed': 'The account is suspended, or there was no account yet.',
    other: 'The code had expired, or a newer one had replaced it.',
  },
};
