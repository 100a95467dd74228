import { plural } from '../../../../platform/i18n/plural.ts';

/** The texts of the pages of GraphQL. */
export const texts = {
  back: 'Go to the home page',
  graphiql: {
    title: 'GraphiQL',
    heading: 'GraphQL',
    noScript:
      'GraphiQL requires JavaScript. Without it, browse <link>the schema as tables</link> or ' +
      'send a POST request to this address.',
  },
  schema: {
    title: 'GraphQL schema',
    lead:
      'Every type of <api>/api/graphql/</api>, by what it is about. ' +
      'Open a type to see its fields.',
    showGraph: 'Show the graph',
    graphHint: 'Drawing it takes a few seconds.',
    types: 'Types',
    filter: { label: 'Filter by name or description', found: 'types found' },
    count: (p: { count: number }) => plural(p.count, { one: '1 type', other: `${p.count} types` }),
    fieldCount: (p: { count: number }) =>
      plural(p.count, { one: '1 field', other: `${p.count} fields` }),
    valueCount: (p: { count: number }) =>
      plural(p.count, { one: '1 value', other: `${p.count} values` }),
    groups: {
      operations: { title: 'Operations', lead: 'Where every request starts.' },
      analytics: { title: 'Analytics', lead: 'Sites, visits and the figures of a dashboard.' },
      status: { title: 'Status and health', lead: 'Components, incidents and maintenance.' },
      people: { title: 'People', lead: 'Users, sign-ups, sessions and devices.' },
      waitlist: { title: 'Waitlist', lead: 'Who waits, and who invited them.' },
      contact: { title: 'Contact', lead: 'Messages from the form, and saved replies.' },
      qr: { title: 'QR codes', lead: 'Codes, their targets and their looks.' },
      nfc: { title: 'NFC tags', lead: 'Tags, what they hold, and alarms.' },
      keys: { title: 'API keys and audit log', lead: 'Keys for programs, and who did what.' },
      shared: { title: 'Shared types', lead: 'Pages of lists, times, counts and JSON.' },
    },
    interfaces: 'Implements <types></types>.',
    fields: (p: { type: string }) => `Fields of ${p.type}`,
    values: (p: { type: string }) => `Values of ${p.type}`,
    columns: { field: 'Field', type: 'Type', value: 'Value', description: 'Description' },
  },
};
