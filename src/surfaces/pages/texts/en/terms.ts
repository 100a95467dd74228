/** The texts of the terms of service. */
export const texts = {
  title: 'Terms',
  description: (p: { appName: string }) =>
    `The terms for using ${p.appName}: your account, acceptable use, availability, liability and ` +
    'termination.',
  lead: (p: { appName: string; legalName: string }) =>
    `These terms are an agreement between you and ${p.legalName} (“we”) about using ${p.appName} ` +
    'on this server. By using it, you agree to these terms.',
  account: {
    title: 'Your account',
    text:
      'There is no password: anyone who can read your codes can sign in as you. Protect your ' +
      'mailbox and your phone, set up 2FA, and tell us if someone else may have gained ' +
      'access. Do not let others use your account, and keep your API keys secret.',
  },
  forbidden: {
    title: 'Acceptable use',
    lead: 'You must not:',
    items: [
      'Break the law or violate the rights of others.',
      'Send codes to people who have not asked for them, or try codes that are not yours.',
      'Send names, addresses, health data or secrets in analytics events.',
      'Bypass limits, or overload the service to the detriment of others. For security ' +
        'research, use only your own data and report your findings to us.',
    ],
  },
  data: {
    title: 'Your data',
    text:
      'You keep all rights to the data you send. You allow us to store and process it as ' +
      'needed to run the service. <privacy>Privacy</privacy> and the <policy>data ' +
      'policy</policy> describe what we store and for how long. For data about other ' +
      'people, you need a legal basis and must inform them.',
  },
  expect: {
    title: 'Availability',
    text:
      'We operate the service with care and report problems on the <status>status page</status>. ' +
      'We do not guarantee that it is always available or free of errors. Requests beyond the ' +
      'documented limits are refused. We may change or discontinue features. If that removes ' +
      'something you use, we will announce it in advance where possible.',
  },
  costs: {
    title: 'Costs',
    text:
      'Using this server is free unless we have agreed otherwise with you. ' +
      'See the plans and their limits under <pricing>Pricing</pricing>.',
  },
  liability: {
    title: 'Liability',
    text:
      'We are liable where the law does not allow liability to be excluded, for example for ' +
      'intentional acts and gross negligence. Beyond that, and as far as the law allows, we are ' +
      'not liable for damage caused by using the service or by its unavailability.',
  },
  end: {
    title: 'Termination',
    text:
      'You can stop using the service at any time and ask us to delete your account. We may ' +
      'close an account that violates these terms. We will tell you why unless the law forbids it.',
  },
  changes: {
    title: 'Changes',
    text:
      'We publish changes to these terms on this page, with their date. By continuing to use the ' +
      'service after that, you accept them.',
  },
  contact: 'Contact',
};
