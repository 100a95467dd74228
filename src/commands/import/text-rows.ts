import type { ReadStream } from 'node:fs';
import { parse } from 'csv-parse';

const longestLine = 8 * 1024 * 1024;

export interface Line {
  /** The first line is 1. */
  line: number;
  text: string;
}

export interface CsvRow {
  /** The line its record begins on; the header is on line 1. */
  line: number;
  /** Position among the rows, the first is 1. */
  ordinal: number;
  cells: Record<string, string>;
}

/**
 * The lines of a text, ended by LF or CRLF only (readline also ends them at U+2028, which JSON may contain).
 * Rejects when a line is longer than 8 MiB.
 */
export async function* readLines(stream: ReadStream): AsyncGenerator<Line> {
  stream.setEncoding('utf8');
  let rest = '';
  let line = 0;
  for await (const chunk of stream) {
    const parts = (rest + String(chunk)).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > longestLine) throw new Error(`line ${line + parts.length + 1} is longer than 8 MiB`);
    for (const text of parts) yield { line: ++line, text: text.replace(/^\uFEFF|\r$/g, '') };
  }
  if (rest !== '') yield { line: line + 1, text: rest.replace(/^\uFEFF/, '') };
}

interface Parsed {
  record: Record<string, string>;
  info: { lines: number; records: number };
}

/**
 * The rows of a CSV file (RFC 4180) with a header. Cells that are missing at the end are empty.
 * Rejects when the file is no CSV.
 */
export async function* readCsv(stream: ReadStream): AsyncGenerator<CsvRow> {
  const parser = stream.pipe(parse({ bom: true, columns: true, info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: longestLine }));
  stream.once('error', (error) => parser.destroy(error));
  let last = 1;
  for await (const { record, info } of parser as AsyncIterable<Parsed>) {
    yield { line: last + 1, ordinal: info.records, cells: record };
    last = info.lines;
  }
}
