import { html, type Html } from '../../lib/text/html.ts';
import type { Guide } from './library.ts';

/** A way to somewhere: `inside` are the places on that page, shown while it is the current one. */
export interface Way {
  href: string;
  text: string;
  inside?: readonly Way[];
}

export interface WayGroup {
  title: string;
  ways: readonly Way[];
}

/** What every page of developers leads to, beside the guides. */
export const referenceWays: readonly Way[] = [
  { href: '/developer/reference', text: 'API reference' },
  { href: '/developer/errors', text: 'Error catalogue' },
  { href: '/developer/changelog', text: 'Changelog' },
];

export const guidePath = (slug: string): string => `/developer/guides/${slug}`;

/** A guide as a way, with its chapters. */
export const guideWay = ({ slug, title, headings }: Guide): Way => ({
  href: guidePath(slug),
  text: title,
  inside: headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => ({ href: `#${id}`, text })),
});

function item({ href, text, inside = [] }: Way, current: string): Html {
  const isCurrent = href === current;
  const places =
    !isCurrent || inside.length === 0
      ? undefined
      : html`\n<ul>${inside.map(
          (place) => html`\n<li><a href="${place.href}">${place.text}</a></li>`,
        )}
</ul>
`;
  return html`\n<li><a href="${href}"${
    isCurrent ? html` aria-current="page"` : undefined
  }>${text}</a>${places}</li>`;
}

export interface SearchBox {
  /** Of its field: a page has two of them at most. */
  id: string;
  /** What was looked for. */
  query?: string;
  /** Where the index is that the browser searches by itself. */
  indexPath: string;
}

/** The search: a form that works by itself, and at once where the page's script runs. */
export const searchForm = ({
  id,
  query = '',
  indexPath,
}: SearchBox): Html => html`<form class="find" action="/developer/" method="get" role="search"
  aria-label="Guides" data-index="${indexPath}">
<label for="${id}">Search the guides</label>
<input id="${id}" type="search" name="q" value="${query}" maxlength="200" autocomplete="off">
<button type="submit">Search</button>
</form>`;

/** What stands beside each page: the search, and ways to all others. */
export const sideOf = (
  groups: readonly WayGroup[],
  current: string,
  search: Html | undefined,
): Html => html`<nav class="home" aria-label="Overview"><a
  href="/developer/"${
    current === '/developer/' ? html` aria-current="page"` : undefined
  }>Developers</a></nav>
${search}
<details class="menu">
<summary>All pages for developers</summary>
<nav aria-label="Developers">${groups.map(
  ({ title, ways }) => html`\n<p>${title}</p>\n<ul>${ways.map((way) => item(way, current))}\n</ul>`,
)}
</nav>
</details>`;
