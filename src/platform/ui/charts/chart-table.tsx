import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { type Column, Table } from '../components/table.tsx';

type Row = readonly string[];

export interface ChartTableOptions {
  caption: string;
  /** The first is that of the steps; the others are of numbers, or of `notes`. */
  columns: readonly string[];
  rows: readonly Row[];
  /** The number of columns at the end with text. */
  notes?: number;
}

/** The values of a chart. */
export function chartTable({ caption, columns, rows, notes = 0 }: ChartTableOptions): Html {
  const tableColumns = columns.map((title, at): Column<Row> => ({
    title,
    cell: (row) => escapeHtml(row[at] ?? ''),
    isNumber: at > 0 && at < columns.length - notes,
  }));
  return <Table caption={caption} columns={tableColumns} rows={rows} layout="columns" />;
}
