import { Readable } from 'node:stream';
import { z } from 'zod';
import { type Cell, csvText } from '../../lib/text/csv.ts';

export interface ListPage<Row> {
  data: readonly Row[];
  next_cursor: string | null;
}

export interface ExportParts<Row> {
  /** Of the file, without its ending. */
  name: string;
  format: 'csv' | 'json';
  columns: readonly (readonly [name: string, valueOf: (row: Row) => Cell])[];
  /** Asks for the page after a cursor. */
  ask: (cursor: string | undefined) => Promise<ListPage<Row>>;
}

export const exportFormat = z
  .enum(['csv', 'json'])
  .optional()
  .describe('A file of the list with these filters, in place of the page.');

const most = 10_000;
const types = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
};

/** The rows of all pages from the first one on, page by page. */
async function* pagesFrom<Row>(
  first: ListPage<Row>,
  ask: ExportParts<Row>['ask'],
): AsyncGenerator<readonly Row[]> {
  let page = first;
  let left = most;
  yield page.data.slice(0, left);
  while (page.next_cursor !== null && (left -= page.data.length) > 0) {
    page = await ask(page.next_cursor);
    yield page.data.slice(0, left);
  }
}

async function* partsOf<Row>(
  { format, columns }: ExportParts<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const objectOf = (row: Row): string =>
    JSON.stringify(Object.fromEntries(columns.map(([name, valueOf]) => [name, valueOf(row)])));
  let separator = '\n';
  yield format === 'csv' ? csvText([columns.map(([name]) => name)]) : '{"data":[';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield format === 'csv'
      ? csvText(rows.map((row) => columns.map(([, valueOf]) => valueOf(row))))
      : separator + rows.map(objectOf).join(',\n');
    separator = ',\n';
  }
  if (format === 'json') yield '\n]}\n';
}

/** A file of a list. */
export interface ListFile {
  name: string;
  type: string;
  body: Readable;
}

/** A file of at most 10,000 rows, made page by page: none of it waits in memory for the rest. */
export async function exportList<Row>(parts: ExportParts<Row>): Promise<ListFile> {
  // Awaited, so that a refusal is an answer and no broken file.
  const first = await parts.ask(undefined);
  return {
    name: `${parts.name}.${parts.format}`,
    type: types[parts.format],
    body: Readable.from(partsOf(parts, pagesFrom(first, parts.ask))),
  };
}
