import { Readable } from 'node:stream';
import { z } from 'zod';
import { type Cell, csvText } from '../../lib/text/csv.ts';
import { asAttachment } from './request-context.ts';
import type { Html } from '../../lib/text/html.ts';
import { type Query, withQuery } from './components/navigation.tsx';
import { texts } from './texts/en.ts';

interface ListPage<Row> {
  data: readonly Row[];
  next_cursor: string | null;
}

/** The columns of an exported file. */
export type ExportColumns<Row> = readonly (readonly [name: string, valueOf: (row: Row) => Cell])[];

export interface ListExport<Row> {
  /** Name of the file, without its extension. */
  name: string;
  format: 'csv' | 'json';
  columns: ExportColumns<Row>;
  /** Reads the page after a cursor. */
  readPage: (cursor: string | undefined) => Promise<ListPage<Row>>;
}

export const exportFormat = z
  .enum(['csv', 'json'])
  .optional()
  .describe('Downloads the filtered list in this format instead of showing the page.');

const maxRows = 10_000;
const mediaTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
};

/** Links that export a list with these filters. */
export function exportLinks(path: string, query: Query): Html {
  const link = (format: 'csv' | 'json') => (
    <a href={withQuery(path, { ...query, format })} download safe>
      {texts.export.file({ format: format.toUpperCase() })}
    </a>
  );
  return (
    <>
      {link('csv')}
      {link('json')}
    </>
  );
}

async function* rowsByPage<Row>(
  first: ListPage<Row>,
  readPage: ListExport<Row>['readPage'],
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
  yield csvText([columns.map(([name]) => name)]);
  for await (const rows of pages)
    if (rows.length > 0)
      yield csvText(rows.map((row) => columns.map(([, valueOf]) => valueOf(row))));
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

/** Sends a list as a file of at most 10,000 rows, page by page: memory holds one page at a time. */
export async function sendListExport<Row>(
  reply: Parameters<typeof asAttachment>[0],
  { name, format, columns, readPage }: ListExport<Row>,
) {
  // Read before the file begins, so that a failure is an error response and not a broken file.
  const first = await readPage(undefined);
  const parts = format === 'csv' ? csvParts : jsonParts;
  return asAttachment(reply, `${name}.${format}`)
    .type(mediaTypes[format])
    .send(Readable.from(parts(columns, rowsByPage(first, readPage))));
}
