import { html, type Html } from '../../lib/text/html.ts';
import type { SitePage } from '../../platform/ui/pages.ts';
import type { SiteFacts } from './facts.ts';

/** A page of the site with its path. */
export interface PublicPage extends SitePage {
  path: string;
  description: string;
}

/** The date of the last change of the legal pages. */
export const lastChanged = html`<p class="updated">Last changed on <time datetime="2026-11-22">22
November 2026</time>.</p>`;

/** A code block. It takes the focus, so that wide lines can be scrolled with the keyboard. */
export const code = (text: string, language: 'sh' | 'html' | 'json'): Html =>
  html`<pre tabindex="0"><code class="language-${language}">${text}</code></pre>`;

/** A table. The first cell of each row is its header. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly (string | Html)[])[],
): Html {
  const row = ([first, ...cells]: readonly (string | Html)[]) =>
    html`<tr><th scope="row">${first}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`;
  return html`<table>
<thead>
<tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>
</thead>
<tbody>
${rows.map(row)}</tbody>
</table>`;
}

export interface Section {
  /** The anchor. */
  id: string;
  title: string;
  body: Html;
}

/** Renders sections: the body, and their table of contents for the sidebar. */
export function sectioned(sections: readonly Section[]): { aside: Html; body: Html } {
  return {
    aside: html`<nav class="contents" aria-label="On this page">
<ul>
${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
</nav>`,
    body: html`${sections.map(
      ({ id, title, body }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${body}
</section>\n`,
    )}`,
  };
}

/** The contact details of the operator. */
export function contact({ legalName, legalAddress, contactEmail }: SiteFacts): Html {
  const address = legalAddress === undefined ? '' : `, ${legalAddress}`;
  if (contactEmail === undefined)
    return html`<p>The service is offered by ${legalName}${address}. Turn to whoever gave you access
to it.</p>`;
  return html`<p>The service is offered by ${legalName}${address}. Write to
<a href="mailto:${contactEmail}">${contactEmail}</a>.</p>`;
}

export interface Card {
  href: string;
  title: string;
  text: string;
}

/** A list of cards, each with a link. */
export const cards = (entries: readonly Card[]): Html => html`<ul class="cards">
${entries.map(
  ({ href, title, text }) => html`<li><h3><a href="${href}">${title}</a></h3><p>${text}</p></li>\n`,
)}</ul>`;
