import { formatNumber } from '../../../../platform/i18n/numbers.ts';

export const texts = {
  nav: {
    label: 'Settings',
    brand: 'Brand',
    general: 'General',
    signIn: 'Sign-in',
    messages: 'Messages',
    analytics: 'Analytics',
    devices: 'Devices',
    system: 'System',
  },
  brand: {
    lead:
      'How your brand looks on pages, in emails, on QR and NFC pages, on the status page and in ' +
      'the API.',
    form: 'Name and color',
    name: 'Name',
    accent: 'Accent color',
    accentHint: 'For buttons and links.',
    accentFormat: 'Six hexadecimal digits, such as #1f5fe0',
    accentPicker: 'Pick the accent color',
    isReadable: (p: { contrast: number }) =>
      `White text on this color is easy to read (contrast ${formatNumber(p.contrast)}:1).`,
    isAdjusted: (p: { contrast: number }) =>
      `White text on this color is hard to read (contrast ${formatNumber(p.contrast)}:1), so ` +
      'buttons use the darker shade shown here.',
    footer: 'Footer text',
    footerHint: 'A short sentence at the end of public pages.',
    links: 'Footer',
    linksHint: 'At the end of public pages and emails.',
    label: 'Link',
    url: 'URL',
    linkLabel: (p: { number: number }) => `Link ${p.number}`,
    linkUrl: (p: { number: number }) => `Address of link ${p.number}`,
    labelPlaceholder: 'Imprint',
    urlPlaceholder: 'https://',
    submit: 'Save brand',
    logo: 'Logo',
    logoHint: 'PNG, SVG, JPEG or WebP, at most 2 MB. A wide logo takes the place of the name.',
    drop: 'Drop a logo here, or choose a file',
    upload: 'Upload logo',
    replace: 'Replace logo',
    remove: 'Remove',
    noLogo: 'No logo yet. Pages show the default mark.',
    missing: 'Choose a picture first.',
    currentLogo: 'Your logo',
    preview: 'Preview',
    light: 'Light',
    dark: 'Dark',
    button: 'Get started',
    link: 'A link',
    previewOf: 'What the preview shows',
    previews: { site: 'Site', email: 'Email', qr: 'QR page', status: 'Status' },
    samples: {
      site: 'Create your account',
      email: 'Your sign-in code',
      qr: 'This page has a password',
      status: 'All systems operational',
    },
    signIn: 'Sign in',
    password: 'Password',
    open: 'Open',
    subscribe: 'Subscribe to updates',
    notices: {
      saved: 'Brand saved. It’s live on pages and in emails.',
      logo_saved: 'Logo saved.',
      logo_removed: 'Logo removed.',
    },
  },
  general: {
    lead: 'Who runs this service, and how people can reach you.',
    form: 'Operator',
    shown: [
      { href: '/terms', text: 'Terms' },
      { href: '/privacy', text: 'Privacy' },
      { href: '/contact', text: 'Contact page' },
    ],
    contactEmail: 'Contact email',
    contactHint: 'Shown on public pages. Contact messages and answers go here.',
    legalName: 'Legal name',
    legalNameHint: 'In the terms and the privacy notice.',
    legalAddress: 'Postal address',
    legalAddressHint: 'Enter it on one line, with commas between the parts.',
    submit: 'Save',
    notices: { saved: 'Saved.' },
  },
  messages: {
    lead: 'How this service sends emails and text messages.',
    channels: {
      email: {
        name: 'email',
        title: 'Email',
        hint: 'Codes, invitations, notices and status updates.',
        facts: [
          { name: 'Sender', variable: 'MAIL_FROM' },
          { name: 'Mail server', variable: 'SMTP_URL' },
        ],
        change: 'To send emails, set SMTP_URL and MAIL_FROM, then restart.',
      },
      sms: {
        name: 'SMS',
        title: 'Text messages',
        hint: 'Used for codes, and for notices to people who chose text messages.',
        facts: [
          { name: 'Twilio sender', variable: 'TWILIO_FROM' },
          { name: 'Webhook', variable: 'SMS_URL' },
        ],
        change:
          'To send texts, set the three TWILIO_ variables, or SMS_URL and SMS_WEBHOOK_SECRET, ' +
          'then restart.',
      },
    },
    ways: { on: 'Sending', off: 'Off', kept: 'Kept in the outbox' },
    outbox: 'Open the outbox',
    lastDay: 'Last 24 hours',
    lastDayText: (p: { sent: string; waiting: string; lost: string }) =>
      `${p.sent} sent, ${p.waiting} waiting, ${p.lost} failed`,
    isSet: 'Set, hidden',
    notSet: 'Not set',
    testHint: (p: { to: string }) => `Sends a test email with your branding to ${p.to}.`,
    submit: 'Send test email',
    noEmail: 'Add an email address to your account to get a test email.',
    notConfigured: 'A test email needs a mail server.',
    notices: { sent: 'Test email sent. It should arrive within a minute.' },
  },
  signIn: { lead: 'Who can join, and how people sign in.' },
  analytics: { lead: 'Which sites can send events, and how many events are accepted.' },
  devices: {
    lead: 'Which devices admins can use, and how a device gets approved.',
    tiles: {
      label: 'Devices now',
      pending: 'Waiting for approval',
      cleared: 'Approved',
      suspended: 'Suspended',
    },
    inUse: 'In use',
    others: (p: { count: number }) =>
      p.count === 1 ? '1 other choice' : `${p.count} other choices`,
    change: 'To change this, set <variable></variable> in the environment, then restart.',
    binding: {
      title: 'What an admin’s device needs',
      hint: 'Before they can open the console.',
      values: {
        none: { name: 'Nothing', hint: 'Admins can use any device. For development only.' },
        cookie: { name: 'Approval', hint: 'Another admin has approved the browser or app.' },
        key: {
          name: 'Approval and its own key',
          hint: 'A copied cookie does not work on another device.',
        },
        webauthn: {
          name: 'Approval, its own key and a passkey',
          hint: 'The person also confirms with a passkey every 12 hours.',
        },
      },
    },
    first: {
      title: 'The first device',
      hint: 'While nobody can approve it yet.',
      values: {
        first_admin: {
          name: 'Approved at once',
          hint: 'For the first admin, within 10 minutes of setup.',
        },
        nobody: { name: 'Approved by API', hint: 'With ADMIN_API_KEY.' },
      },
    },
    approval: {
      title: 'How a device gets approved',
      guide: 'Guide',
      ask: '1. Ask',
      askText:
        'The owner signs in on the device and requests approval. It shows a two-digit number.',
      decide: '2. Approve',
      decideText: 'Another admin asks for the number, by phone or in person, and enters it.',
      wait: 'Time to decide',
      waitText: (p: { time: string }) => `${p.time}. After that, the request expires.`,
      ends: 'Approval ends',
      endsText: (p: { unused: string; most: string }) =>
        `After ${p.unused} without use, and after ${p.most} in any case.`,
      risk: 'Suspended',
      riskText: 'Immediately, if the device looks copied or stolen. An admin can restore it.',
    },
  },
  system: {
    lead: 'This server and where it keeps its data.',
    health: 'See Health',
  },
  rule: { saved: 'Leave a field empty to use the value the service started with.' },
  states: {
    signUp: {
      open: () => 'Anyone can sign up.',
      invitation: () => 'Only people you invite can sign up.',
      domain: (p: { domains: string }) =>
        `People you invite, and anyone with an address at ${p.domains}, can sign up.`,
    },
    legal: (p: { name: string }) =>
      `Run by ${p.name}, as stated in the terms and the privacy notice.`,
    contact: (p: { email: string }) => `People can write to ${p.email}.`,
    noContact: 'No contact address is shown. Notices go to all admins.',
    provider: (p: { issuer: string }) => `Single sign-on: connected to ${p.issuer}.`,
    noProvider: 'Single sign-on: not connected.',
    review: 'An app store reviewer can sign in with a fixed code.',
    noCodeLimits: 'There’s no limit on sending codes.',
    events: 'Events are accepted.',
    noEvents: 'This server rejects events. Another one accepts them.',
    sites: {
      open: 'New sites are added with their first event.',
      closed: 'Events from unknown sites are rejected.',
    },
    retention: 'Each site has its own setting for how long events are kept.',
    allSites: 'See sites',
  },
  live: {
    submit: 'Save',
    saved: 'Saved here',
    fixed: (p: { variable: string }) =>
      `${p.variable} is set in the environment, so you can’t change it here.`,
    signUp: {
      title: 'Who can sign up',
      legend: 'People without an account',
      open: { label: 'Anyone', hint: 'With any email address or phone number.' },
      domain: { label: 'People at certain domains', hint: 'And everyone you invite.' },
      invitation: { label: 'Invited people only', hint: 'Nobody can sign up on their own.' },
      domains: 'Domains',
      domainsExample: 'example.com',
      domainsHint: 'Separate with commas, such as example.com, *.example.com.',
    },
    sites: {
      title: 'New sites',
      legend: 'The first event from an unknown site',
      open: { label: 'Adds the site', hint: 'Good while you set up.' },
      closed: { label: 'Is rejected', hint: 'You add sites yourself, in Analytics.' },
    },
    waitlist: {
      title: 'Public waitlist',
      waitlist_total: {
        label: 'Show how many people are waiting',
        hint: 'On the page and in the API.',
        variable: 'WAITLIST_TOTAL',
      },
      waitlist_leaderboard: {
        label: 'Show the leaderboard',
        hint: 'The ten people with the most referrals, with shortened names.',
        variable: 'WAITLIST_LEADERBOARD',
      },
    },
    notices: { changed: 'Saved. The change is live.', undone: 'Undone.' },
  },
  variables: {
    limits: 'Limits',
    title: 'Set in the environment',
    hint: 'To change one of these, set its variable and restart the service.',
    environment: 'Environment',
    standard: 'Default',
    isSecret: 'Hidden',
    notSet: 'Not set',
    defaults: (p: { count: number }) =>
      p.count === 1 ? 'Show 1 default' : `Show ${formatNumber(p.count)} defaults`,
  },
};
