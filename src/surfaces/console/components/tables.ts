import { attributes, html, type Html } from '../../../lib/text/html.ts';

export interface Column {
  name: string;
  /** Numbers are aligned to the right. */
  isNumber?: boolean;
  /** The heading is only for screen readers. */
  isQuiet?: boolean;
}

type Cell = Html | string | number;
export type Row = readonly Cell[];

export interface TableOptions {
  caption: string;
  columns: readonly (string | Column)[];
  rows: readonly Row[];
  /** Shown instead of a table without rows. */
  empty?: Html;
}

/** The heading of a column with buttons. */
export const actionsColumn = (name: string): Column => ({ name, isQuiet: true });
export const numberColumn = (name: string): Column => ({ name, isNumber: true });

const toColumn = (column: string | Column): Column =>
  typeof column === 'string' ? { name: column } : column;

const cellClass = ({ isNumber = false }: Column = { name: '' }): Html[] =>
  attributes({ class: isNumber ? 'number-cell' : undefined });

function heading(column: Column): Html {
  const { name, isQuiet = false } = column;
  const text = isQuiet ? html`<span class="spoken">${name}</span>` : name;
  return html`<th scope="col"${cellClass(column)}>${text}</th>`;
}

/** A region that scrolls on narrow screens, also by keyboard. */
export const scrollRegion = (label: string, content: Html): Html =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>\n`;

/** A table. The first cell of each row is its heading. */
export function table({ caption, columns: columnsOrNames, rows, empty }: TableOptions): Html {
  if (empty !== undefined && rows.length === 0) return empty;
  const columns = columnsOrNames.map(toColumn);
  const cell = (value: Cell, index: number): Html =>
    index === 0
      ? html`<th scope="row"${cellClass(columns[index])}>${value}</th>`
      : html`<td${cellClass(columns[index])}>${value}</td>`;
  return scrollRegion(
    `${caption}, table`,
    html`<table>
<caption class="spoken">${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`\n<tr>${row.map(cell)}</tr>`)}
</tbody></table>`,
  );
}
