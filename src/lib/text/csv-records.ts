/** A record of a CSV file. */
export interface CsvRecord {
  /** The line on which it ends, counted from 1. */
  line: number;
  /** Empty after a part of a long run of line breaks. */
  cells: string[];
}

/** A text that is not CSV. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  readonly line: number;

  constructor(line: number) {
    super(`Line ${line} is not a row of CSV.`);
    this.line = line;
  }
}

const [quote, lineFeed, carriageReturn, space] = [0x22, 0x0a, 0x0d, 0x20];
/** Characters. */
const maxBreaks = 65_536;

interface Cursor {
  readonly text: string;
  /** Code of the character between cells. */
  readonly delimiter: number;
  at: number;
  line: number;
}

const isBreak = (code: number): boolean => code === lineFeed || code === carriageReturn;

/** Skips one line break: LF, CR LF or CR. */
function skipBreak(cursor: Cursor): void {
  const isPair =
    cursor.text.charCodeAt(cursor.at) === carriageReturn &&
    cursor.text.charCodeAt(cursor.at + 1) === lineFeed;
  cursor.at += isPair ? 2 : 1;
  cursor.line += 1;
}

function skipSpaces({ text }: Cursor, begin: number): number {
  let at = begin;
  while (text.charCodeAt(at) === space) at += 1;
  return at;
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed))
      count += 1;
  }
  return count;
}

/** Reads a cell whose opening quote is at `begin`. */
function readQuoted(cursor: Cursor, begin: number, end: number): string {
  const { text, delimiter } = cursor;
  let close = text.indexOf('"', begin + 1);
  while (close !== -1 && text.charCodeAt(close + 1) === quote) close = text.indexOf('"', close + 2);
  if (close === -1 || close > end) throw new CsvError(cursor.line);
  const content = text.slice(begin + 1, close);
  cursor.at = skipSpaces(cursor, close + 1);
  const next = text.charCodeAt(cursor.at);
  if (cursor.at < text.length && next !== delimiter && !isBreak(next))
    throw new CsvError(cursor.line);
  cursor.line += countBreaks(content);
  return content.replaceAll('""', '"');
}

function readCell(cursor: Cursor, end: number): string {
  const { text, delimiter } = cursor;
  const begin = cursor.at;
  const first = skipSpaces(cursor, begin);
  if (text.charCodeAt(first) === quote) return readQuoted(cursor, first, end);
  let at = first;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === delimiter || isBreak(code)) break;
    if (code === quote || at > end) throw new CsvError(cursor.line);
  }
  cursor.at = at;
  return text.slice(begin, at);
}

function readRecord(cursor: Cursor, maxLength: number): string[] {
  const end = cursor.at + maxLength;
  const cells = [readCell(cursor, end)];
  while (cursor.text.charCodeAt(cursor.at) === cursor.delimiter) {
    cursor.at += 1;
    if (cursor.at > end) throw new CsvError(cursor.line);
    cells.push(readCell(cursor, end));
  }
  return cells;
}

/**
 * Yields the records of a CSV text (RFC 4180) from the offset `start`, whose lines end in LF, CR LF
 * or CR. Spaces may stand around quotes. Empty lines are skipped. Throws a CsvError for misplaced
 * quotes, and for a record of more than `maxLength` characters. Takes linear time.
 */
export function* recordsOf(
  text: string,
  options: { delimiter: string; start: number; line: number; maxLength: number },
): Generator<CsvRecord> {
  const { start, line, maxLength } = options;
  const cursor = { text, delimiter: options.delimiter.charCodeAt(0), at: start, line };
  while (cursor.at < text.length) {
    const from = cursor.at;
    while (isBreak(text.charCodeAt(cursor.at)) && cursor.at - from < maxBreaks) skipBreak(cursor);
    if (cursor.at >= text.length) return;
    const cells = cursor.at - from < maxBreaks ? readRecord(cursor, maxLength) : [];
    yield { line: cursor.line, cells };
    if (cells.length > 0 && cursor.at < text.length) skipBreak(cursor);
  }
}
