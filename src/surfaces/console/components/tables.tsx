import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { texts } from '../texts/en.ts';

export interface Column {
  name: string;
  /** Numbers are aligned to the right. */
  isNumber?: boolean;
  /** The heading is only for screen readers. */
  isQuiet?: boolean;
}

type Cell = Html | number | undefined;
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

const cellClass = ({ isNumber = false }: Column = { name: '' }) => ({
  class: isNumber ? 'number-cell' : undefined,
});

function heading(column: Column): Html {
  const { name, isQuiet = false } = column;
  const text = isQuiet ? (
    <span class="visually-hidden" safe>
      {name}
    </span>
  ) : (
    escapeHtml(name)
  );
  return (
    <th scope="col" {...cellClass(column)}>
      {text}
    </th>
  );
}

/** A region that scrolls on narrow screens, also by keyboard. */
export const scrollRegion = (label: string, content: Html): Html => (
  <div class="scroll" role="region" aria-label={label} tabindex="0">
    {content}
  </div>
);

/** A table. The first cell of each row is its heading. */
export function table({ caption, columns: columnsOrNames, rows, empty }: TableOptions): Html {
  if (empty !== undefined && rows.length === 0) return empty;
  const columns = columnsOrNames.map(toColumn);
  const cell = (value: Cell, index: number): Html =>
    index === 0 ? (
      <th scope="row" {...cellClass(columns[index])}>
        {value}
      </th>
    ) : (
      <td {...cellClass(columns[index])}>{value}</td>
    );
  return scrollRegion(
    texts.table.region({ caption }),
    <table>
      <caption class="visually-hidden" safe>
        {caption}
      </caption>
      <thead>
        <tr>{columns.map(heading)}</tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>{row.map(cell)}</tr>
        ))}
      </tbody>
    </table>,
  );
}
