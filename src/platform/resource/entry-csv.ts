import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { mapInSlices } from '../../lib/concurrency/slices.ts';
import { type Cell, unguarded } from '../../lib/text/csv.ts';
import {
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from '../validation/validation-error.ts';
import { describeIssue, runSchema } from '../validation/validation-issues.ts';
import { unwrapSchema } from '../validation/zod-inspection.ts';
import type { ExportColumns } from './list-file.ts';
import type { Entry, Resource, Values } from './resource.ts';

/** The maximum number of rows that one import reads. */
export const maxImportRows = 2000;
const maxErrors = 100;
/** Characters. */
const maxRowLength = 64 * 1024;

/** Whether the values of a member fit into a cell: lists of scalars do, nested objects don't. */
function isScalar(schema: z.core.$ZodType): boolean {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return isScalar(inner.element);
  return !['object', 'record', 'union', 'unknown'].includes(inner._zod.def.type);
}

const listSeparator = '; ';

function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map(String).join(listSeparator);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The columns of a resource's CSV file: the members of its entries that fit into a cell. */
export const exportColumnsOf = ({
  view,
  detailsOnly = [],
}: Pick<Resource, 'view' | 'detailsOnly'>): ExportColumns<Entry> =>
  Object.entries<z.core.$ZodType>(view.shape)
    .filter(([name, schema]) => isScalar(schema) && !detailsOnly.includes(name))
    .map(([name]) => [name, (entry) => toCell(entry[name])]);

/** The columns that an import reads: the members of the body that creates an entry. */
export const importColumnsOf = (body: z.ZodObject): string[] =>
  Object.entries<z.core.$ZodType>(body.shape)
    .filter(([, schema]) => isScalar(schema))
    .map(([name]) => name);

const booleans = new Map([
  ...['yes', 'true', '1'].map((text) => [text, true] as const),
  ...['no', 'false', '0'].map((text) => [text, false] as const),
]);

/** The value of a cell; texts that do not fit are left for the schema to refuse. */
function fromCell(text: string, schema: z.core.$ZodType): unknown {
  const { type } = unwrapSchema(schema)._zod.def;
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return booleans.get(text.toLowerCase()) ?? text;
  if (type === 'array')
    return text
      .split(listSeparator.trim())
      .map((each) => each.trim())
      .filter((each) => each !== '');
  return text;
}

/** A row of the file, parsed, and the number of its line. */
export interface ImportedRow {
  line: number;
  values: Values;
}

const Records = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.int() }) }),
);

const refusal = (path: readonly (string | number)[], message: string) =>
  new RequestValidationError([valueError(['body', ...path], message)]);

function readHeader(header: readonly string[], columns: readonly string[]): string[] {
  const names = header.map((name) => name.trim());
  const unknown = names.filter((name) => !columns.includes(name)).slice(0, 10);
  if (unknown.length > 0) {
    const list = unknown.map((name) => `"${name.slice(0, 40)}"`).join(', ');
    throw refusal([1], `has the unknown columns ${list}. Columns: ${columns.join(', ')}`);
  }
  if (new Set(names).size < names.length) throw refusal([1], 'names a column more than once');
  return names;
}

function parseRecords(
  text: string,
  columns: readonly string[],
  maxRows: number,
): z.output<typeof Records> {
  try {
    return Records.parse(
      parse(text, {
        bom: true,
        columns: (header: string[]) => readHeader(header, columns),
        info: true,
        max_record_size: maxRowLength,
        skip_empty_lines: true,
        to: maxRows + 1,
      }),
    );
  } catch (error) {
    if (error instanceof RequestValidationError) throw error;
    const line = error instanceof Error && 'lines' in error ? Number(error.lines) : 1;
    throw refusal([line], 'is not a row of CSV (RFC 4180) with one value for each column');
  }
}

function readRecord(
  { record, info: { lines: line } }: z.output<typeof Records>[number],
  body: z.ZodObject,
): { row: ImportedRow; details: ValidationDetail[] } {
  const shape: Readonly<Record<string, z.core.$ZodType>> = body.shape;
  const given: Values = Object.fromEntries(
    Object.entries(record).flatMap(([name, cell]) => {
      const schema = shape[name];
      const trimmed = unguarded(cell.trim());
      return schema === undefined || trimmed === '' ? [] : [[name, fromCell(trimmed, schema)]];
    }),
  );
  const { value, issues } = runSchema(body, given);
  const details = issues
    .flatMap((issue) => describeIssue({ part: 'body', original: given, value: given }, issue))
    .map((detail) => ({ ...detail, loc: ['body', line, ...detail.loc.slice(1)] }));
  return { row: { line, values: value as Values }, details };
}

/**
 * Reads the rows of a CSV file with a header as bodies that create entries. Empty cells count as
 * missing members, lists are separated by `;`. Rejects with a RequestValidationError whose entries
 * name line and column, so that a file is taken as a whole or not at all. Other requests are served
 * meanwhile.
 */
export async function readEntries(
  text: string,
  body: z.ZodObject,
  maxRows = maxImportRows,
): Promise<ImportedRow[]> {
  const records = parseRecords(text, importColumnsOf(body), maxRows);
  const excess = records.at(maxRows);
  if (excess !== undefined)
    throw refusal([excess.info.lines], `must be among the first ${maxRows} rows`);
  const read = await mapInSlices(records, (record) => readRecord(record, body));
  const details = read.flatMap((each) => each.details).slice(0, maxErrors);
  if (details.length > 0) throw new RequestValidationError(details);
  return read.map(({ row }) => row);
}
