import { html, type Html } from '../../../lib/text/html.ts';
import { scrollRegion } from './tables.ts';

interface RankingRow {
  text: string;
  href?: string | undefined;
  /** The length of the bar. */
  value: number;
  /** Cells after the bar. */
  cells: readonly (string | Html)[];
}

export interface RankingOptions {
  caption: string;
  /** Heading of the first column. */
  heading: string;
  columns: readonly string[];
  rows: readonly RankingRow[];
  /** Shown instead of a table without rows. */
  empty?: Html;
}

function bar(value: number, longest: number): Html {
  const width = Math.round(((100 * value) / longest) * 10) / 10;
  const rect = html`<rect width="${width}" height="1"/>`;
  return html`<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${rect}</svg>`;
}

/** A table with bars in the first cells. */
export function ranking({ caption, heading, columns, rows, empty }: RankingOptions): Html {
  if (empty !== undefined && rows.length === 0) return empty;
  const longest = Math.max(1, ...rows.map(({ value }) => value));
  const headings = columns.map((name) => html`<th scope="col" class="number-cell">${name}</th>`);
  const items = rows.map(({ text, href, value, cells }) => {
    const name =
      href === undefined ? html`<span>${text}</span>` : html`<a href="${href}">${text}</a>`;
    const numbers = cells.map((cell) => html`<td class="number-cell">${cell}</td>`);
    return html`\n<tr><th scope="row">${bar(value, longest)}${name}</th>${numbers}</tr>`;
  });
  return scrollRegion(
    `${caption}, table`,
    html`<table class="bars"><caption class="spoken">${caption}</caption>
<thead><tr><th scope="col">${heading}</th>${headings}</tr></thead>
<tbody>${items}
</tbody></table>`,
  );
}
