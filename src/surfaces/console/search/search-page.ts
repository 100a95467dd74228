import { html } from '../../../lib/text/html.ts';
import type { ConsolePage } from '../layout.ts';
import { plural } from '../components/number-format.ts';
import { emptyState, panel } from '../components/elements.ts';
import type { SearchResult } from './search.ts';

export function searchPage(
  text: string,
  results: readonly SearchResult[],
  isAdmin: boolean,
): ConsolePage {
  const where = isAdmin
    ? 'pages, sites, incidents, people, devices and API keys'
    : 'pages, sites and incidents';
  const list = html`<ul class="notes">${results.map(
    ({ name, hint, href }) =>
      html`\n<li><a href="${href}">${name}</a> <span class="hint">${hint}</span></li>`,
  )}\n</ul>`;
  const nothing =
    text === ''
      ? `Type into the field above: it looks for ${where}.`
      : `Nothing is called ${text}. Looked through were ${where}: ` +
        'names are found by how they begin.';
  return {
    section: undefined,
    title: 'Search',
    body: panel({
      id: 'found',
      title:
        text === ''
          ? 'Nothing was searched for'
          : `${plural(results.length, 'place')} for “${text}”`,
      body: results.length === 0 ? emptyState({ text: nothing }) : list,
    }),
  };
}
