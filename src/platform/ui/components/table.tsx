import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { texts } from '../texts/en.ts';

export interface Column<Row> {
  title: string;
  /** What a row shows. A column without a cell has text from `text`. */
  cell?: (row: Row) => Content;
  text?: (row: Row) => string;
  /** Numbers stand on the right. */
  isNumber?: boolean;
  /** The title is only for screen readers: a column of buttons. */
  isTitleHidden?: boolean;
  /** Left out where a table with `layout: 'columns'` is narrow. */
  isMinor?: boolean;
  /** Has a line of its own on narrow screens: a picture such as the bars of 90 days. */
  isWide?: boolean;
  /** Makes the title a link that sorts by the column. */
  sort?: { href: string; direction?: 'ascending' | 'descending' | undefined };
}

export interface TableOptions<Row> {
  /** For screen readers; the heading above the table says it to all others. */
  caption: string;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Shown instead of a table without rows. Default: the table with its titles alone. */
  empty?: Html | undefined;
  /** Names a row on the page, so that live updates keep it apart from others. */
  rowId?: (row: Row) => string;
  /**
   * On screens under 640 px. `cards` (default): the first column and the buttons stand in a line,
   * the rest below with its titles. `columns`: figures to compare; it stays a table and scrolls.
   */
  layout?: 'cards' | 'columns';
}

const lookOf = <Row,>(column: Column<Row>, content?: Content): string | undefined =>
  [
    column.isNumber && 'cell-number',
    column.isMinor && 'cell-minor',
    column.isWide && 'cell-wide',
    column.isTitleHidden && 'cell-actions',
    content === '–' && 'cell-none',
  ]
    .filter(Boolean)
    .join(' ') || undefined;

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

/** A region that scrolls sideways on narrow screens, also with the keyboard. */
const ScrollRegion = ({ label, children }: { label: string; children?: Content }): Html => (
  <section class="table-scroll" aria-label={label} tabindex="0">
    {children}
  </section>
);

/** The title is shown in front of the cell where the row is a card, whose head is out of sight. */
function cell<Row>(column: Column<Row>, row: Row, isCard: boolean): Html {
  const content = contentOf(column, row);
  const label = isCard && column.isTitleHidden !== true ? column.title : undefined;
  return (
    <td class={lookOf(column, content)} data-label={label}>
      {content}
    </td>
  );
}

/** A list as a table, whose rows are cards on narrow screens. */
export function Table<Row>(options: TableOptions<Row>): Html {
  const { caption, columns, rows, empty, rowId, layout = 'cards' } = options;
  if (rows.length === 0 && empty !== undefined) return empty;
  const isCard = layout === 'cards';
  const cells = (row: Row): Html[] =>
    columns.map((column, at) =>
      at === 0 ? (
        <th scope="row" class={lookOf(column)}>
          {contentOf(column, row)}
        </th>
      ) : (
        cell(column, row, isCard)
      ),
    );
  return (
    <ScrollRegion label={texts.table.region({ caption })}>
      <table class={isCard ? 'table table-cards' : 'table'}>
        <caption class="visually-hidden">{escapeHtml(caption)}</caption>
        <thead>
          <tr>{columns.map(heading)}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr id={rowId?.(row)}>{cells(row)}</tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

interface Bar {
  text: string;
  /** Before the text, such as a flag. */
  mark?: Html | undefined;
  /** The length of the bar. */
  value: number;
  href?: string | undefined;
  /** After the bar, such as the value in words and its share of all. */
  cells: readonly Content[];
}

export interface BarListOptions {
  caption: string;
  /** The title of the name, then one for each cell. */
  columns: readonly string[];
  /** Titles of cells that are left out where the list is narrow. */
  minor?: readonly string[];
  /** Links that sort, one for each column. Default: the titles are no links. */
  sorts?: readonly Column<unknown>['sort'][] | undefined;
  bars: readonly Bar[];
  empty?: Html | undefined;
}

function barName({ text, mark, value, href }: Bar, longest: number): Html {
  const name = (
    <>
      {mark}
      {escapeHtml(text)}
    </>
  );
  return (
    <>
      <svg class="bar-fill" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.round((1000 * value) / longest) / 10} height="1" />
      </svg>
      {href === undefined ? <span>{name}</span> : <a href={href}>{name}</a>}
    </>
  );
}

const sortOf = (sort: Column<unknown>['sort']) => (sort === undefined ? {} : { sort });

/** A ranking: each row has a bar as long as its value. */
export function BarList(list: BarListOptions): Html {
  const {
    caption,
    columns: [name = '', ...titles],
    minor = [],
    sorts = [],
    bars,
    empty,
  } = list;
  const longest = Math.max(1, ...bars.map((bar) => bar.value));
  const columns: Column<Bar>[] = [
    { title: name, cell: (bar) => barName(bar, longest), ...sortOf(sorts[0]) },
    ...titles.map((title, at) => ({
      title,
      cell: ({ cells }: Bar) => cells[at],
      isNumber: true,
      isMinor: minor.includes(title),
      ...sortOf(sorts[at + 1]),
    })),
  ];
  return (
    <div class="bar-list">
      <Table caption={caption} columns={columns} rows={bars} empty={empty} layout="columns" />
    </div>
  );
}

export interface Fact {
  name: string;
  value: Content;
}

/** Names and values, side by side. `undefined` is left out. */
export const Facts = ({ facts }: { facts: readonly (Fact | undefined)[] }): Html => (
  <dl class="facts">
    {facts.map(
      (fact) =>
        fact && (
          <div>
            <dt>{escapeHtml(fact.name)}</dt>
            <dd>{fact.value}</dd>
          </div>
        ),
    )}
  </dl>
);
