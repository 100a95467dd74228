import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';

export interface Column<Row> {
  title: string;
  /** What a row shows. A column without a cell has text from `text`. */
  cell?: (row: Row) => Content;
  text?: (row: Row) => string;
  /** Numbers stand on the right. */
  isNumber?: boolean;
  /** The title is only for screen readers: a column of buttons. */
  isTitleHidden?: boolean;
  /** Left out on screens under 640 px. */
  isMinor?: boolean;
  /** Makes the title a link that sorts by the column. */
  sort?: { href: string; direction?: 'ascending' | 'descending' | undefined };
}

export interface TableOptions<Row> {
  /** For screen readers; the heading above the table says it to all others. */
  caption: string;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Shown instead of a table without rows. */
  empty: Html;
}

const lookOf = <Row,>({ isNumber = false, isMinor = false }: Column<Row>): string | undefined =>
  [isNumber && 'cell-number', isMinor && 'cell-minor'].filter(Boolean).join(' ') || undefined;

function heading<Row>(column: Column<Row>): Html {
  const { title, isTitleHidden = false, sort } = column;
  const text = isTitleHidden ? (
    <span class="visually-hidden">{escapeHtml(title)}</span>
  ) : (
    escapeHtml(title)
  );
  return (
    <th scope="col" class={lookOf(column)} aria-sort={sort?.direction}>
      {sort === undefined ? text : <a href={sort.href}>{text}</a>}
    </th>
  );
}

const contentOf = <Row,>({ cell, text }: Column<Row>, row: Row): Content =>
  cell === undefined ? escapeHtml(text?.(row) ?? '') : cell(row);

/** A list as a table. It scrolls sideways on narrow screens, also with the keyboard. */
export function Table<Row>({ caption, columns, rows, empty }: TableOptions<Row>): Html {
  if (rows.length === 0) return empty;
  const cells = (row: Row): Html[] =>
    columns.map((column, at) =>
      at === 0 ? (
        <th scope="row" class={lookOf(column)}>
          {contentOf(column, row)}
        </th>
      ) : (
        <td class={lookOf(column)}>{contentOf(column, row)}</td>
      ),
    );
  return (
    <div class="table-scroll" role="region" aria-label={caption} tabindex="0">
      <table class="table">
        <caption class="visually-hidden">{escapeHtml(caption)}</caption>
        <thead>
          <tr>{columns.map(heading)}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>{cells(row)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Bar {
  text: string;
  value: number;
  /** The value in words: `3,005`. */
  label: string;
  /** Of all, such as `29%`. */
  share?: string;
  href?: string;
}

export interface BarListOptions {
  caption: string;
  columns: readonly [name: string, value: string, share: string];
  bars: readonly Bar[];
  empty: Html;
}

/** A ranking: each row has a bar as long as its value. */
export function BarList({ caption, columns: [name, value, share], bars, empty }: BarListOptions) {
  const longest = Math.max(1, ...bars.map((bar) => bar.value));
  const columns: Column<Bar>[] = [
    {
      title: name,
      cell: (bar) => (
        <>
          <svg class="bar-fill" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect width={Math.round((100 * bar.value) / longest)} height="1" />
          </svg>
          {bar.href === undefined ? (
            <span>{escapeHtml(bar.text)}</span>
          ) : (
            <a href={bar.href}>{escapeHtml(bar.text)}</a>
          )}
        </>
      ),
    },
    { title: value, text: (bar) => bar.label, isNumber: true },
    { title: share, text: (bar) => bar.share ?? '', isNumber: true },
  ];
  return (
    <div class="bar-list">
      <Table caption={caption} columns={columns} rows={bars} empty={empty} />
    </div>
  );
}

export interface Fact {
  name: string;
  value: Content;
}

/** Names and values, side by side. */
export const Facts = ({ facts }: { facts: readonly Fact[] }): Html => (
  <dl class="facts">
    {facts.map(({ name, value }) => (
      <div>
        <dt>{escapeHtml(name)}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
