// Draws the schema as a graph with GraphQL Voyager, which another script has loaded into the page.

interface Voyager {
  voyagerIntrospectionQuery: string;
  renderVoyager: (
    container: Element,
    options: { introspection: Promise<unknown>; displayOptions: object },
  ) => void;
}

declare global {
  interface Window {
    GraphQLVoyager?: Voyager;
  }
}

async function runQuery(query: string): Promise<unknown> {
  const response = await fetch('/api/graphql/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

function show(container: Element, voyager: Voyager): void {
  container.removeAttribute('hidden');
  voyager.renderVoyager(container, {
    introspection: runQuery(voyager.voyagerIntrospectionQuery),
    displayOptions: { skipRelay: false },
  });
}

// Drawing blocks the page for seconds, so it waits for the button.
const choice = document.querySelector('#graph');
const container = document.querySelector('#voyager');
const voyager = window.GraphQLVoyager;
if (choice !== null && container !== null && voyager !== undefined) {
  choice.removeAttribute('hidden');
  choice.querySelector('#show-graph')?.addEventListener('click', () => {
    choice.remove();
    show(container, voyager);
  });
}

export {};
