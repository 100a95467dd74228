import { html } from '../../lib/text/html.ts';
import type { ConsolePage } from './layout.ts';
import { counted } from './numbers.ts';
import { emptyState, panel } from './parts.ts';

/** Something with a page of its own. */
export interface Found {
  name: string;
  /** What it is. */
  hint: string;
  href: string;
}

/** What fits the words that were searched for. */
export function searchPage(text: string, found: readonly Found[], isAdmin: boolean): ConsolePage {
  const where = isAdmin
    ? 'pages, sites, incidents, people, devices and API keys'
    : 'pages, sites and incidents';
  const list = html`<ul class="notes">${found.map(({ name, hint, href }) => html`\n<li><a href="${href}">${name}</a> <span class="hint">${hint}</span></li>`)}\n</ul>`;
  const body =
    text === ''
      ? emptyState({ text: `Type into the field above: it looks for ${where}.` })
      : found.length === 0
        ? emptyState({
            text: `Nothing is called ${text}. Looked through were ${where}: names are found by how they begin.`,
          })
        : list;
  return {
    section: undefined,
    title: 'Search',
    body: panel({
      id: 'found',
      title:
        text === ''
          ? 'Nothing was searched for'
          : `${counted(found.length, 'place')} for “${text}”`,
      body,
    }),
  };
}
