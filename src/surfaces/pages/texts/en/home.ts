/** The texts of the home page. */
export const texts = {
  title: 'Everything your product needs around it',
  description: (p: { appName: string }) =>
    `${p.appName}: sign-in, cookie-free analytics, QR and NFC links, a waitlist and a status ` +
    'page in one service, on your own server.',
  heading: 'Everything your product needs around it, in one place',
  lead:
    'Sign people in, see what they do, reach them on paper and online, and tell them when ' +
    'something breaks. One service on your own server, without tracking cookies.',
  getStarted: 'Get started',
  viewDocs: 'Read the docs',
  dashboard: {
    label:
      'How analytics work. The picture shows a shop’s dashboard: its visitors over 30 days, ' +
      'where they came from and what they read.',
    site: 'shop.example',
    live: '14 now',
    period: 'Last 30 days',
    tiles: [
      ['Visitors', '10,418', '+10%'],
      ['Visits', '11,801', '+8%'],
      ['Page views', '25,528', '+12%'],
      ['Sign-ups', '412', '+21%'],
    ],
    sources: 'Sources',
    sourceRows: [
      { label: 'Google', value: '3,005', share: 100 },
      { label: 'Direct', value: '2,761', share: 92 },
      { label: 'Newsletter', value: '1,204', share: 40 },
      { label: 'Instagram', value: '806', share: 27 },
    ],
    pages: 'Pages',
    pageRows: [
      { label: '/', value: '3,880', share: 100 },
      { label: '/products/lamp', value: '2,214', share: 57 },
      { label: '/pricing', value: '1,540', share: 40 },
      { label: '/blog/light', value: '903', share: 23 },
    ],
  },
  bands: {
    people: {
      title: 'Sign people in',
      text: 'A code by email or text message, a passkey, or your own identity provider.',
      picture: 'A sign-in form that asks for a six-digit code.',
      features: [
        ['sign-in', 'Sign-in', 'One-time codes, single sign-on, sessions users can revoke.'],
        ['second-factor', '2FA and passkeys', 'Authenticator apps, passkeys, backup codes.'],
        ['device-security', 'Approved devices', 'A stolen cookie isn’t enough to act as an admin.'],
        ['users', 'Users and roles', 'Invite, search, import, export, SCIM.'],
      ],
    },
    understand: {
      title: 'Understand them',
      text: 'Who came, from where, and what they did next. No cookies, no IP addresses on disk.',
      picture: 'A funnel from visit to sign-up, and visitors in the last few minutes.',
      features: [
        ['analytics', 'Analytics', 'Visitors, campaigns, goals, funnels, retention, reports.'],
        ['realtime', 'Realtime', 'Events as they happen, over WebSocket.'],
      ],
    },
    reach: {
      title: 'Reach them',
      text: 'On posters, on packaging, in a queue, in the inbox.',
      picture: 'A QR code with a short link and its scans.',
      features: [
        ['qr-codes', 'QR codes', 'Change the target after printing. Count every scan.'],
        ['nfc-tags', 'NFC tags', 'Tags that can’t be copied, and alarms when someone tries.'],
        ['waitlist', 'Waitlist', 'A form, referrals, and invitations in batches.'],
        ['contact', 'Contact inbox', 'Messages and replies in one thread.'],
      ],
    },
    inform: {
      title: 'Keep them informed',
      text: 'Checks every minute, incidents, maintenance, and emails to everyone who subscribes.',
      picture: 'The last 90 days of two components, one with a short outage.',
      features: [
        ['status-page', 'Status page', 'Ninety days at a glance, with feeds, badges and emails.'],
      ],
    },
  },
  pictures: {
    code: { title: 'Check your inbox', text: 'We sent a code to ada@shop.example.' },
    sms: { title: 'Enter the code', text: 'We sent it to +1 415 555 0132.' },
    funnel: [
      { label: 'Visit', value: '11,801', share: 100 },
      { label: 'Product page', value: '4,120', share: 35 },
      { label: 'Sign-up', value: '412', share: 4 },
    ],
    scan: 'Scan to open this page.',
    components: [
      ['Website', 'Operational'],
      ['Checkout', 'Operational'],
    ],
  },
  code: {
    title: 'A few lines to start',
    lead: 'Every feature is available through REST, GraphQL and tools for assistants (MCP).',
    legend: 'Language',
    tabs: { curl: 'curl', html: 'Website', js: 'JavaScript', python: 'Python' },
    more: 'See all guides',
  },
  replaces: {
    title: 'One service instead of seven',
    caption: 'What this service replaces',
    columns: ['You need', 'Instead of', 'What you get'],
    rows: [
      ['Web analytics', 'Plausible, Fathom', 'Goals, funnels, retention, shared dashboards'],
      ['Sign-in', 'Clerk, Auth0', 'Codes, passkeys, single sign-on, SCIM'],
      ['Short links, QR codes', 'Dub, Bitly', 'Dynamic codes in your style, labels to print'],
      ['NFC tags', 'Bluebite', 'Copy-proof tags with alarms'],
      ['Status page', 'Statuspage, Instatus', 'Checks, incidents, subscribers'],
      ['Waitlist', 'getwaitlist', 'Referrals, leaderboard, approval'],
      ['Contact form', 'Formspree', 'An inbox with replies and no spam'],
    ],
  },
  closing: {
    title: 'Start with one line of HTML',
    text: 'Install it in minutes, and turn on the rest when you need it.',
  },
  promises: {
    title: 'What you can rely on',
    items: [
      'Every accepted event survives a crash and is counted exactly once.',
      'No one else can lock you out of your account.',
      'Your data stays on your server. Nothing is loaded from elsewhere.',
      'Every limit is documented, and every example in the guides is tested.',
    ],
  },
};
