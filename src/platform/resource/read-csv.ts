import { createPace } from '../../lib/concurrency/pace.ts';
import { dialectOf } from '../../lib/text/csv-dialect.ts';
import { CsvError, type CsvRecord, recordsOf } from '../../lib/text/csv-records.ts';
import { RequestValidationError, valueError } from '../validation/validation-error.ts';

/** A row of a CSV file, and the number of the line on which it ends. */
export interface CsvRow {
  line: number;
  /** The text of each column. */
  cells: Readonly<Record<string, string>>;
}

export interface CsvFormat {
  /** Names of the columns that a file may have. */
  columns: readonly string[];
  maxRows: number;
  /** Maximum length of a row, in characters. */
  maxRowLength: number;
  /** Whether a row may end before its last columns. */
  mayEndEarly?: boolean;
}

/** Time that a file may take per turn of the event loop: milliseconds. */
const sliceMs = 4;
/** Rows between two looks at the time. */
const rowsPerLook = 16;
const maxShownName = 40;

const refusal = (path: readonly (string | number)[], message: string) =>
  new RequestValidationError([valueError(['body', ...path], message)]);

const isEmpty = (cell: string): boolean => cell.trim() === '';

/** The columns of the header in `line`, in its order; undefined for those without a name. */
function readHeader(
  record: readonly string[],
  columns: readonly string[],
  line: number,
): (string | undefined)[] {
  const known = new Map(columns.map((column) => [column.toLowerCase(), column]));
  const header = record.map((cell) => cell.trim());
  const unknown = header.filter((name) => name !== '' && !known.has(name.toLowerCase()));
  if (unknown.length > 0) {
    const list = unknown.slice(0, 10).map((name) => `"${name.slice(0, maxShownName)}"`);
    throw refusal(
      [line],
      `has the unknown columns ${list.join(', ')}. Columns: ${columns.join(', ')}`,
    );
  }
  const names = header.map((name) => known.get(name.toLowerCase()));
  const given = names.filter((name) => name !== undefined);
  if (new Set(given).size < given.length) throw refusal([line], 'names a column more than once');
  return names;
}

function readCells(
  record: readonly string[],
  names: readonly (string | undefined)[],
  { line, mayEndEarly }: { line: number; mayEndEarly: boolean },
): CsvRow['cells'] {
  const surplus = record.findIndex((cell, at) => names[at] === undefined && !isEmpty(cell));
  if (surplus !== -1 && surplus < names.length)
    throw refusal([line], 'has a value in a column without a name');
  const lastNamed = names.findLastIndex((name) => name !== undefined);
  if (surplus !== -1 || (!mayEndEarly && record.length <= lastNamed))
    throw refusal([line], 'is not a row of CSV (RFC 4180) with one value for each column');
  return Object.fromEntries(
    names.flatMap((name, at) => (name === undefined ? [] : [[name, record[at] ?? '']])),
  );
}

/** Yields the records of a file. A CsvError becomes a RequestValidationError. */
function* readRecords(text: string, maxLength: number): Generator<CsvRecord> {
  const { delimiter, start, skippedLines } = dialectOf(text);
  try {
    yield* recordsOf(text, { delimiter, start, line: 1 + skippedLines, maxLength });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusal([error.line], 'is not a row of CSV (RFC 4180) with one value for each column');
  }
}

/**
 * Reads a CSV file with a header. Its cells are separated by commas, semicolons or tabs; the names
 * of columns may have any case; empty rows and columns without a name and values are ignored.
 * Rejects with a RequestValidationError that names the line of the first mistake. Other requests
 * are served meanwhile.
 */
export async function readCsv(text: string, format: CsvFormat): Promise<CsvRow[]> {
  const { columns, maxRows, maxRowLength, mayEndEarly = false } = format;
  const pace = createPace(sliceMs);
  const rows: CsvRow[] = [];
  let names: (string | undefined)[] | undefined;
  let count = 0;
  for (const { line, cells } of readRecords(text, maxRowLength)) {
    count += 1;
    if (count % rowsPerLook === 0 || cells.length === 0) await pace();
    if (cells.every(isEmpty)) continue;
    if (names === undefined) {
      names = readHeader(cells, columns, line);
      continue;
    }
    if (rows.length >= maxRows) throw refusal([line], `must be among the first ${maxRows} rows`);
    rows.push({ line, cells: readCells(cells, names, { line, mayEndEarly }) });
  }
  return rows;
}
