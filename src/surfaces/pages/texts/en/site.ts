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
    search: 'Search',
    searchLabel: 'Search the documentation',
    try: 'Or go to',
    links: {
      home: { title: 'Home', text: 'What this service does.' },
      docs: { title: 'Documentation', text: 'Guides with examples that you can run.' },
      reference: { title: 'API reference', text: 'Every operation, with its fields and errors.' },
      pricing: { title: 'Pricing', text: 'What it costs.' },
      status: { title: 'Status', text: 'Whether everything is working.' },
      contact: { title: 'Contact', text: 'Send us a message.' },
    },
  },
  errors: {
    goHome: 'Go to the home page',
    notAPage: 'This address can’t be opened in a browser. It’s for apps and scripts.',
  },
};
