import { plural } from '../../../../platform/i18n/plural.ts';

/** The texts of the guides, the search, the changelog and the error codes. */
export const texts = {
  navigation: {
    home: 'Developers',
    overview: 'Overview',
    pages: 'Developers',
    menu: 'All developer pages',
    reference: 'Reference',
    apiReference: 'API reference',
    errors: 'Error codes',
    changelog: 'Changelog',
    guides: 'Guides',
  },
  search: {
    name: 'Guides',
    label: 'Search the guides',
    button: 'Search',
    none: (p: { query: string }) =>
      `No results for “${p.query}”. Try a single word, an error code or a field name.`,
    found: (p: { count: number; query: string }) =>
      plural(p.count, {
        one: `1 result for “${p.query}”`,
        other: `${p.count} results for “${p.query}”`,
      }),
  },
  landing: {
    title: 'Developers',
    searchTitle: (p: { query: string }) => `Search: ${p.query}`,
    heading: (p: { appName: string }) => `Build with ${p.appName}`,
    description: (p: { appName: string }) =>
      `Guides, API reference and error codes for ${p.appName}: from your first event to sign-in, ` +
      'realtime, GraphQL and MCP.',
    lead: 'Guides with examples to copy, a complete API reference, and every error code.',
    changelogFeed: 'Changelog',
    paths: {
      measure: {
        title: 'Measure a website',
        text: 'One line of HTML, then goals, funnels and reports by email.',
        guides: ['website-script', 'analytics', 'goals-and-funnels', 'sharing-and-reports'],
      },
      people: {
        title: 'Sign people in',
        text: 'One-time codes, passkeys and single sign-on, plus sessions that users can revoke.',
        guides: ['sign-in', 'one-time-codes', 'second-factor', 'users'],
      },
      reach: {
        title: 'Reach people',
        text: 'QR codes and NFC tags, a waitlist, messages and a status page.',
        guides: ['qr-codes', 'nfc-tags', 'waitlist', 'status-page'],
      },
    },
    allGuides: (p: { count: number }) => `All ${p.count} guides`,
    cards: {
      reference: {
        title: 'API reference',
        text:
          'Every operation with its fields, responses and samples in curl, TypeScript and ' +
          'Python. Sign in to try it.',
      },
      errors: { title: 'Error codes', text: 'Every error code with its status and meaning.' },
      graphql: {
        title: 'GraphQL',
        text: 'Query people, sites, devices and incidents; subscribe over WebSocket.',
      },
      mcp: {
        title: 'MCP',
        text: 'Tools, resources and prompts for assistants, at /api/v2/mcp/.',
      },
      realtime: {
        title: 'Realtime',
        text: 'WebSockets that catch up on missed messages.',
      },
      swagger: {
        title: 'Swagger UI',
        text: 'Browse and try the OpenAPI document, or download it from /api/openapi.json.',
      },
      changelog: { title: 'Changelog', text: 'What changed and when, also as a feed.' },
    },
    programs:
      'For language models: <list>llms.txt</list> lists the guides, <full>llms-full.txt</full> ' +
      'contains their full text, and you can get any guide as Markdown by adding ' +
      '<code>.md</code> to its address.',
  },
  guideList: {
    title: 'Guides',
    description: (p: { appName: string }) => `All guides to ${p.appName}, by subject.`,
    lead: 'Every guide has examples to copy that run against this server.',
  },
  guide: {
    markdown: 'View as Markdown',
    neighbours: 'Previous and next guide',
    previous: (p: { title: string }) => `Previous: ${p.title}`,
    next: (p: { title: string }) => `Next: ${p.title}`,
  },
  missing: {
    title: 'Guide not found',
    text: (p: { slug: string }) => `There is no guide named “${p.slug}”.`,
    suggestions: 'Did you mean:',
    all: 'All guides',
  },
  changelog: {
    title: 'Changelog',
    description: (p: { appName: string }) => `Changes to ${p.appName}, newest first.`,
    lead: 'What is new, what works differently and what was fixed. Newest first.',
    byKind: 'Kind of change',
    byArea: 'Part of the service',
    all: 'All changes',
    allAreas: 'Everything',
    kinds: { added: 'Added', changed: 'Changed', fixed: 'Fixed', removed: 'Removed' },
    none: 'No changes match this filter.',
    showAll: 'Show all changes',
    feeds: 'Feeds',
    feedTitle: (p: { appName: string }) => `${p.appName} changelog`,
    feedDescription: (p: { appName: string }) => `Changes to ${p.appName}`,
  },
  errors: {
    title: 'Error codes',
    description: (p: { appName: string }) =>
      `Every ${p.appName} error code, with its HTTP status and meaning.`,
    intro:
      'A failed request returns a problem document (RFC 9457, ' +
      '<code>application/problem+json</code>). Its <code>code</code> identifies the error and ' +
      'never changes; the wording of <code>detail</code> may. Input that does not match the ' +
      'schema returns 422 with a list of errors.',
    guide: 'For examples, see <link>Errors and limits</link>.',
    count: (p: { count: number }) => plural(p.count, { one: '1 code', other: `${p.count} codes` }),
    filter: { label: 'Filter by code, status or text', found: 'codes found' },
    internal: 'An unexpected error occurred. It has been logged under the request id.',
  },
  back: 'Go to the developer pages',
  llms: {
    about:
      'Sign-in, one-time codes, device security, analytics, realtime and status in one service, ' +
      'over HTTP.',
    reference: 'Reference',
    openApi: { title: 'OpenAPI document', text: 'every operation with its schemas' },
    pages: { title: 'API reference', text: 'every operation, as web pages' },
    errors: { title: 'Error codes', text: 'every error code' },
    changelog: { title: 'Changelog', text: 'what changed, as a feed' },
    full: { title: 'All guides in one file', text: 'for models with a large context window' },
  },
};

/** The names of tags of the reference and of areas of error codes. Others are spelled alike. */
export const areaNames: Readonly<Partial<Record<string, string>>> = {
  request: 'All requests',
  auth: 'Sign-in and sessions',
  otp: 'One-time codes',
  idp: 'Identity provider',
  second_factor: 'Second factor',
  mfa: '2FA',
  blackops: 'Device security',
  api_keys: 'API keys',
  'api-keys': 'API keys',
  analytics: 'Analytics',
  goals: 'Goals and funnels',
  sharing: 'Sharing and reports',
  incidents: 'Incidents and maintenance',
  payments: 'Payments',
  geoip: 'GeoIP',
  ws: 'Realtime',
  mcp: 'MCP',
  graphql: 'GraphQL',
  qr: 'QR codes',
  'qr-pictures': 'QR code images and logos',
  'qr-batches': 'QR codes in bulk',
  nfc: 'NFC tags',
  scim: 'SCIM',
  sites: 'Sites and retention',
  account: 'Your account',
  pages: 'Pages',
  web: 'Site data',
  internal: 'Other errors',
};
