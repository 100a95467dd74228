// Draws the schema as a graph. The drawing is a package's, which another script has put into the
// page.

interface Voyager {
  voyagerIntrospectionQuery: string;
  renderVoyager: (
    place: Element,
    options: { introspection: Promise<unknown>; displayOptions: object },
  ) => void;
}

declare global {
  interface Window {
    GraphQLVoyager?: Voyager;
  }
}

async function ask(query: string): Promise<unknown> {
  const answer = await fetch('/api/graphql/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return answer.json();
}

const place = document.querySelector('#voyager');
const voyager = window.GraphQLVoyager;
if (place !== null && voyager !== undefined) {
  place.removeAttribute('hidden');
  voyager.renderVoyager(place, {
    introspection: ask(voyager.voyagerIntrospectionQuery),
    displayOptions: { skipRelay: false },
  });
}

export {};
