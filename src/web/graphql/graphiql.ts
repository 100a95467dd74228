import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import 'graphiql/graphiql.css';
import { createClient } from 'graphql-ws';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

// GraphiQL on our own address, with the session of whoever sits before it. Subscriptions open a
// WebSocket when there is one.

const url = `${location.origin}/api/graphql/`;
const place = document.querySelector<HTMLElement>('#graphiql');

const welcome = `# Ctrl-Space completes, Ctrl-Enter sends.
# The schema: /api/graphql/voyager/

{
  status {
    description
    components { name status uptime }
  }
}
`;

if (place !== null) {
  place.textContent = '';
  const wsClient = createClient({ url: url.replace(/^http/, 'ws'), lazy: true });
  createRoot(place).render(
    createElement(GraphiQL, {
      fetcher: createGraphiQLFetcher({ url, wsClient }),
      defaultQuery: welcome,
    }),
  );
}
