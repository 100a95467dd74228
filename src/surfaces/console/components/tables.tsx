import type { Html } from '../../../lib/text/html.ts';
import { Table } from '../../../platform/ui/components/table.tsx';

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

/** A table. The first cell of each row is its heading. */
export const table = ({ caption, columns, rows, empty }: TableOptions): Html =>
  rows.length === 0 && empty !== undefined ? (
    empty
  ) : (
    <Table
      caption={caption}
      columns={columns.map(toColumn).map(({ name, isNumber, isQuiet }, at) => ({
        title: name,
        cell: (row: Row) => row[at],
        isNumber: isNumber ?? false,
        isTitleHidden: isQuiet ?? false,
      }))}
      rows={rows}
    />
  );
