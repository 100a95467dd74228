import type { CsvRow } from '../text-rows.ts';
import { CommandError } from '../../service/command.ts';

/** The tables of a Plausible export that are used. */
export const tableNames = [
  'imported_visitors',
  'imported_pages',
  'imported_sources',
  'imported_locations',
  'imported_browsers',
  'imported_operating_systems',
  'imported_devices',
  'imported_custom_events',
] as const;
export type TableName = (typeof tableNames)[number];

/** The table of a file such as `imported_pages_20230209_20240123.csv`; undefined for others. */
export function tableOf(file: string): TableName | undefined {
  const name = /^(imported_[a-z_]+?)(?:_\d{8}_\d{8})?\.csv$/.exec(file)?.[1];
  return tableNames.find((table) => table === name);
}

export const notInOrder = (table: string, line: number) =>
  new CommandError(
    `${table}, line ${line}: the rows are not in the order of their dates. ` +
      'Sort the file by "date" first.',
  );

/** Reads a table day by day. Its rows must be in the order of their dates. */
export function createDayTable(name: string, rows: AsyncGenerator<CsvRow>) {
  let next: CsvRow | undefined;
  let last = '';

  async function read(): Promise<CsvRow | undefined> {
    const step = await rows.next();
    const row = step.done === true ? undefined : step.value;
    const date = row?.cells.date ?? '';
    if (row !== undefined && date < last) throw notInOrder(name, row.line);
    last = date;
    return row;
  }

  return {
    /** Returns the rows of a day (YYYY-MM-DD). Take days in order; rows in between are skipped. */
    async take(date: string): Promise<Record<string, string>[]> {
      const taken: Record<string, string>[] = [];
      next ??= await read();
      while (next !== undefined && (next.cells.date ?? '') <= date) {
        if (next.cells.date === date) taken.push(next.cells);
        next = await read();
      }
      return taken;
    },
  };
}
