import { plural } from '../../../../platform/i18n/plural.ts';

/** The texts of the API reference. */
export const texts = {
  title: 'API reference',
  description: (p: { appName: string }) =>
    `Every ${p.appName} operation, with its fields, responses and samples in curl, TypeScript ` +
    'and Python.',
  intro:
    'All paths are relative to <base></base>, accept and return JSON unless noted otherwise, ' +
    'and work with and without a trailing slash. The reference is generated from the ' +
    '<openapi>OpenAPI document</openapi>, which you can also browse in <swagger>Swagger ' +
    'UI</swagger>. Apps and scripts send <code>Authorization: Bearer</code> with an API key ' +
    'or an access token; browsers send the session cookie. Every error has a ' +
    '<errors>code</errors>.',
  filter: { label: 'Filter by name, method or path', found: 'operations found' },
  interactive: {
    title: 'Try the API',
    description: 'Every API operation, ready to fill in and send from your browser.',
    intro:
      'Open a resource, fill in an operation and send it. For samples in three languages, see ' +
      'the <reference>API reference</reference>. To generate clients, use the <openapi>OpenAPI ' +
      'document</openapi>.',
  },
  groups: {
    people: 'People and sign-in',
    analytics: 'Analytics',
    links: 'Links',
    reach: 'Reach people',
    status: 'Status and operations',
    build: 'Build',
    more: 'More',
  },
  count: (p: { count: number }) =>
    plural(p.count, { one: '1 operation', other: `${p.count} operations` }),
  tag: {
    title: (p: { name: string }) => `${p.name}: API reference`,
    description: (p: { count: number; appName: string }) =>
      plural(p.count, {
        one: `1 operation in the ${p.appName} API, with fields, responses and samples.`,
        other:
          `${p.count} operations in the ${p.appName} API, with fields, responses and ` + 'samples.',
      }),
    open: (p: { name: string }) => `${p.name} in detail`,
    all: 'All operations',
  },
  operation: {
    deprecated: 'deprecated',
    alias: 'Also available at <path></path>',
    required: 'required',
    members: (p: { name: string }) => `Fields of ${p.name}`,
    either: 'Either',
    or: 'or',
    anyBody: 'Any value of this type.',
    body: 'Request body',
    inPath: 'Path parameters',
    inQuery: 'Query parameters',
    headers: 'Headers',
    cookies: 'Cookies',
    responses: 'Responses',
    responseFields: 'Response fields',
    generalErrors: '<link>General errors</link>: <codes></codes>',
    response: (p: { status: string }) => `Response ${p.status}`,
    done: 'Done',
  },
  access: {
    open: 'No authentication required.',
    credential: 'Requires an API key, an access token or a session cookie.',
    signedIn: 'Requires an access token or a session cookie.',
    fresh:
      'Requires an access token or a session cookie, from a sign-in within the last five ' +
      'minutes.',
    admin: 'Requires admin access, with an API key, an access token or a session cookie.',
  },
  limits: {
    value: {
      exactly: (p: { count: number }) => `exactly ${p.count}`,
      atMost: (p: { count: number }) => `at most ${p.count}`,
      atLeast: (p: { count: number }) => `at least ${p.count}`,
      between: (p: { min: number; max: number }) => `${p.min} to ${p.max}`,
    },
    characters: {
      exactly: (p: { count: number }) =>
        plural(p.count, { one: 'exactly 1 character', other: `exactly ${p.count} characters` }),
      atMost: (p: { count: number }) =>
        plural(p.count, { one: 'at most 1 character', other: `at most ${p.count} characters` }),
      atLeast: (p: { count: number }) =>
        plural(p.count, { one: 'at least 1 character', other: `at least ${p.count} characters` }),
      between: (p: { min: number; max: number }) => `${p.min} to ${p.max} characters`,
    },
    items: {
      exactly: (p: { count: number }) =>
        plural(p.count, { one: 'exactly 1 item', other: `exactly ${p.count} items` }),
      atMost: (p: { count: number }) =>
        plural(p.count, { one: 'at most 1 item', other: `at most ${p.count} items` }),
      atLeast: (p: { count: number }) =>
        plural(p.count, { one: 'at least 1 item', other: `at least ${p.count} items` }),
      between: (p: { min: number; max: number }) => `${p.min} to ${p.max} items`,
    },
    always: 'always <value></value>',
    oneOf: 'one of <values></values>',
    default: 'default <value></value>',
    empty: '(empty)',
  },
};
