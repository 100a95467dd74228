// Filters the types, and draws the schema as a graph with GraphQL Voyager, which it loads for that.

import { installFoldFilter } from '../page/fold-filter.ts';

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

/** Adds the style sheet and the script, and waits for the script. */
function load({ script, sheet }: DOMStringMap): Promise<void> {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'stylesheet', href: sheet ?? '' });
  const element = document.createElement('script');
  element.src = script ?? '';
  return new Promise((resolve, reject) => {
    element.addEventListener('load', () => resolve());
    element.addEventListener('error', () => reject(new Error('The graph could not be loaded.')));
    document.head.append(link, element);
  });
}

async function showGraph(choice: HTMLElement, container: Element, button: HTMLButtonElement) {
  button.disabled = true;
  try {
    await load(choice.dataset);
  } catch (error) {
    // Offline, for example: the button can be pressed again.
    button.disabled = false;
    throw error;
  }
  choice.remove();
  if (window.GraphQLVoyager !== undefined) show(container, window.GraphQLVoyager);
}

// Drawing blocks the page for seconds, and takes a megabyte: it waits for the button.
const choice = document.querySelector<HTMLElement>('#graph');
const container = document.querySelector('#voyager');
const button = document.querySelector<HTMLButtonElement>('#show-graph');
if (choice !== null && container !== null && button !== null) {
  choice.removeAttribute('hidden');
  button.addEventListener('click', () => void showGraph(choice, container, button));
}
installFoldFilter();
