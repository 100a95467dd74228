import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import 'graphiql/graphiql.css';
import { createClient } from 'graphql-ws';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

// GraphiQL on the service's own origin, with the user's session. A WebSocket is opened only for
// subscriptions.

const url = `${location.origin}/api/graphql/`;
const container = document.querySelector<HTMLElement>('#graphiql');

const welcome = `# Ctrl-Space completes, Ctrl-Enter sends.
# The schema: /api/graphql/voyager/

{
  status {
    description
    components { name status uptime }
  }
}
`;

/** The theme of /theme.css: `light`, `dark`, or both where the device decides. */
const scheme = getComputedStyle(document.documentElement).colorScheme;
const theme = scheme === 'light' || scheme === 'dark' ? scheme : 'system';

if (container !== null) {
  container.textContent = '';
  const wsClient = createClient({ url: url.replace(/^http/, 'ws'), lazy: true });
  createRoot(container).render(
    createElement(GraphiQL, {
      fetcher: createGraphiQLFetcher({ url, wsClient }),
      defaultQuery: welcome,
      forcedTheme: theme,
    }),
  );
}
