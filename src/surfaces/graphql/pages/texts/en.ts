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
      'The schema of <api>/api/graphql/</api>: all types <tables>as tables</tables>, ' +
      'and as a graph.',
    showGraph: 'Show the graph',
    graphHint: 'Drawing it takes a few seconds.',
    types: 'Types',
    interfaces: 'Implements <types></types>.',
    fields: (p: { type: string }) => `Fields of ${p.type}`,
    values: (p: { type: string }) => `Values of ${p.type}`,
    columns: { field: 'Field', type: 'Type', value: 'Value', description: 'Description' },
  },
};
