/** The texts that several pages share. */
export const texts = {
  onThisPage: 'On this page',
  copy: { shell: 'Terminal', html: 'HTML', json: 'Response' },
  legal: {
    lastUpdated: 'Last updated <date></date>.',
    operator: (p: { legalName: string }) => `This service is operated by ${p.legalName}.`,
    operatorWithAddress: (p: { legalName: string; address: string }) =>
      `This service is operated by ${p.legalName}, ${p.address}.`,
    email: (p: { email: string }) => `Email us at <link>${p.email}</link>.`,
    /** `link` leads to the contact form. */
    noEmail: 'Write to us with the <link>contact form</link>.',
  },
  menu: {
    developers: 'Developers',
    install: 'Install',
    status: 'Status',
    signIn: 'Sign in',
    signUp: 'Sign up',
    account: 'Account',
    console: 'Console',
    pricing: 'Pricing',
    contact: 'Contact',
    privacy: 'Privacy',
    terms: 'Terms',
    dataPolicy: 'Data policy',
  },
  notFound: {
    title: 'Page not found',
    heading: 'Page not found',
    lead: 'The address may be mistyped, or the page may have moved.',
    home: 'Home',
    docs: 'Documentation',
    status: 'Service status',
  },
  errors: {
    goHome: 'Go to the home page',
    notAPage: 'This address cannot be opened in a browser. It is used by apps and scripts.',
  },
};
