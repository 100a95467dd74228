/** The texts of the home page. */
export const texts = {
  title: 'Sign-in, analytics and status in one service',
  description: (p: { appName: string }) =>
    `${p.appName} adds sign-in, cookie-free analytics, realtime events and a status page to ` +
    'your product, on your own server.',
  heading: 'Add sign-in, analytics and a status page to your product',
  lead: (p: { appName: string }) =>
    `${p.appName} signs people in, counts visits without cookies, reports your uptime and ` +
    'streams events in real time. It runs as one process on your own server.',
  getStarted: 'Get started',
  viewDocs: 'View the docs',
  features: {
    title: 'Features',
    signIn: {
      title: 'Sign-in',
      text:
        'One-time codes by SMS and email, single sign-on with your identity provider, and ' +
        'sessions that people can review and end.',
    },
    secondFactor: {
      title: 'Two-factor authentication',
      text: 'Authenticator apps, passkeys, and backup codes for a lost phone.',
    },
    devices: {
      title: 'Device security',
      text:
        'Admin actions require a device that another admin has approved. A stolen cookie is not ' +
        'enough.',
    },
    analytics: {
      title: 'Analytics',
      text:
        'Page views and events from a script, a pixel or the API. No cookies, no IP ' +
        'addresses on disk.',
    },
    realtime: {
      title: 'Realtime',
      text:
        'Three WebSocket endpoints that push events as they happen and deliver missed ones ' +
        'after a reconnect.',
    },
    status: {
      title: 'Status page',
      text: 'Checks, incidents and maintenance, with feeds, badges and email updates.',
    },
  },
  tryIt: {
    title: 'Try it',
    lead: 'Send your first event. No setup required:',
    answer: 'A 200 response means the event is on disk. <link>More ways to send events</link>',
  },
  promises: {
    title: 'Guarantees',
    items: [
      'An event acknowledged with 200 survives a crash and is counted exactly once.',
      'Strangers cannot use up the attempts for your one-time code.',
      'A realtime client that reconnects gets every message it missed, or an error if ' +
        'that isn’t possible.',
      'Every limit is documented.',
      'The examples in the guides are tested.',
    ],
  },
  programs: {
    title: 'APIs',
    text:
      'Use the REST API (<openapi>OpenAPI</openapi>), GraphQL at <code>/api/graphql/</code>, or ' +
      'tools for language models at <code>/api/v2/mcp/</code> (Model Context Protocol). ' +
      '<docs>Read the documentation</docs>',
  },
};
