import type { ReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';

const maxLineLength = 8 * 1024 * 1024;

/** Decodes a file. Rejects when it is not UTF-8, instead of importing garbled text. */
async function* textOf(stream: ReadStream): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw new Error(
        'The file is not UTF-8. Convert it first, for instance with iconv -f ISO-8859-1 -t UTF-8.',
        { cause },
      );
    }
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) yield decode(chunk);
  yield decode();
}

export interface Line {
  /** Counted from 1. */
  line: number;
  text: string;
}

export interface CsvRow {
  /** The line that the record begins on; the header is on line 1. */
  line: number;
  /** Position among the rows, counted from 1. */
  ordinal: number;
  cells: Record<string, string>;
}

/**
 * Yields the lines of a file, ended by LF or CRLF only (readline also ends them at U+2028, which
 * JSON may contain). Rejects when a line is longer than 8 MiB, or the file is not UTF-8.
 */
export async function* readLines(stream: ReadStream): AsyncGenerator<Line> {
  let rest = '';
  let line = 0;
  for await (const text of textOf(stream)) {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > maxLineLength)
      throw new Error(`line ${line + parts.length + 1} is longer than 8 MiB`);
    for (const part of parts) yield { line: ++line, text: part.replace(/^\uFEFF|\r$/g, '') };
  }
  if (rest !== '') yield { line: line + 1, text: rest.replace(/^\uFEFF/, '') };
}

interface Parsed {
  record: Record<string, string>;
  info: { lines: number; records: number };
}

/** How databases write that a cell has no value; the words only where they are not quoted. */
const isNull = (cell: string, isQuoted: boolean): boolean =>
  cell === String.raw`\N` || (!isQuoted && /^(?:null|\(null\))$/i.test(cell));

/** Reads a cell of a file that a database has written. */
export const databaseCell = (cell: string, { quoting }: { quoting: boolean }): string =>
  isNull(cell, quoting) ? '' : cell;

/**
 * Yields the rows of a CSV file (RFC 4180) with a header. Missing cells at the end are empty.
 * `readCell` reads each cell, knowing whether it was quoted. Rejects when the file is not valid CSV
 * or not UTF-8.
 */
export async function* readCsv(
  stream: ReadStream,
  readCell?: typeof databaseCell,
): AsyncGenerator<CsvRow> {
  const text = Readable.from(textOf(stream), { objectMode: false });
  const parser = text.pipe(
    parse({
      bom: true,
      columns: true,
      ...(readCell === undefined ? {} : { cast: readCell }),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxLineLength,
    }),
  );
  text.once('error', (error) => parser.destroy(error));
  let last = 1;
  for await (const { record, info } of parser as AsyncIterable<Parsed>) {
    yield { line: last + 1, ordinal: info.records, cells: record };
    last = info.lines;
  }
}
