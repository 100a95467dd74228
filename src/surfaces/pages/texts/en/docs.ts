/** The texts of the overview of the documentation. */
export const texts = {
  title: 'Documentation',
  description: (p: { appName: string }) =>
    `Guides, API reference and machine-readable descriptions for ${p.appName}.`,
  lead: 'Start with a guide, then look up details in the reference.',
  start: {
    title: 'Start here',
    install: {
      title: 'Install',
      text: 'Snippets to copy, with this server’s address filled in.',
    },
    developers: { title: 'Developer docs', text: 'All guides with search, and all error codes.' },
    reference: {
      title: 'API reference',
      text: 'Every operation, with its fields, errors and an example.',
    },
  },
  guides: 'Guides',
  programs: {
    title: 'APIs and specifications',
    openApi: {
      title: 'OpenAPI 3.1',
      text: 'Machine-readable description of the REST API, for generating clients.',
    },
    swagger: { title: 'Swagger UI', text: 'Browse and try the REST API.' },
    graphql: {
      title: 'GraphQL',
      text: 'Queries, mutations and subscriptions over the same data, with an editor.',
    },
    voyager: { title: 'GraphQL schema', text: 'All types as a graph and as tables.' },
    asyncApi: {
      title: 'AsyncAPI 3',
      text: 'The channels and messages of the three WebSocket endpoints.',
    },
    status: {
      title: 'Status API',
      text: 'Service status in the Statuspage format. For the status page itself, see /status.',
    },
    health: { title: 'Health', text: 'Probes for load balancers and monitoring.' },
    mcp: {
      title: 'Model Context Protocol',
      text: (p: { url: string }) =>
        `Tools for language models at <code>${p.url}</code>. Use an API key or an access token.`,
    },
  },
};
