import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { attachment } from '../../lib/net/header-text.ts';
import { type Cell, toCsv } from '../../lib/text/csv.ts';

interface ListPage<Row> {
  data: readonly Row[];
  next_cursor: string | null;
}

/** The columns of an exported file. */
export type ExportColumns<Row> = readonly (readonly [name: string, valueOf: (row: Row) => Cell])[];

export interface ListFile<Row> {
  /** Name of the file, without its extension. */
  name: string;
  format: 'csv' | 'json';
  columns: ExportColumns<Row>;
  /** Reads the page after a cursor. */
  readPage: (cursor: string | undefined) => Promise<ListPage<Row>>;
  maxRows: number;
}

const mediaTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
};

async function* rowsByPage<Row>(
  first: ListPage<Row>,
  { readPage, maxRows }: ListFile<Row>,
): AsyncGenerator<readonly Row[]> {
  let page = first;
  let left = maxRows;
  yield page.data.slice(0, left);
  while (page.next_cursor !== null && (left -= page.data.length) > 0) {
    page = await readPage(page.next_cursor);
    yield page.data.slice(0, left);
  }
}

async function* csvParts<Row>(
  columns: ExportColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield toCsv([columns.map(([name]) => name)]);
  for await (const rows of pages)
    if (rows.length > 0) yield toCsv(rows.map((row) => columns.map(([, valueOf]) => valueOf(row))));
}

async function* jsonParts<Row>(
  columns: ExportColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const toJson = (row: Row): string =>
    JSON.stringify(Object.fromEntries(columns.map(([name, valueOf]) => [name, valueOf(row)])));
  let separator = '\n';
  yield '{"data":[';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield separator + rows.map(toJson).join(',\n');
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** Sends a list as a file, page by page: memory holds one page at a time. */
export async function sendListFile<Row>(
  reply: FastifyReply,
  file: ListFile<Row>,
): Promise<FastifyReply> {
  const { name, format, columns, readPage } = file;
  // Read before the file begins, so that a failure is an error response and not a broken file.
  const first = await readPage(undefined);
  const parts = format === 'csv' ? csvParts : jsonParts;
  return reply
    .header('content-disposition', attachment(`${name}.${format}`))
    .type(mediaTypes[format])
    .send(Readable.from(parts(columns, rowsByPage(first, file))));
}
