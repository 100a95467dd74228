import { z } from 'zod';
import { createPace } from '../../lib/concurrency/pace.ts';
import { type Cell, unescapeFormula } from '../../lib/text/csv.ts';
import { unstorableTexts } from '../validation/unstorable-text.ts';
import {
  detailLimit,
  RequestValidationError,
  type ValidationDetail,
} from '../validation/validation-error.ts';
import { describeIssues, runSchema } from '../validation/validation-issues.ts';
import { unwrapSchema } from '../validation/zod-inspection.ts';
import type { ExportColumns } from './list-file.ts';
import { type CsvRow, readCsv } from './read-csv.ts';
import type { Entry, Resource, Values } from './resource.ts';

/** The maximum number of rows that one import reads. */
export const maxImportRows = 2000;
/** Characters. */
const maxRowLength = 64 * 1024;
/** Time that rows may take per turn of the event loop: milliseconds. */
const sliceMs = 4;

/** Whether the values of a member fit into a cell: lists of scalars do, nested objects don't. */
function isScalar(schema: z.core.$ZodType): boolean {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return isScalar(inner.element);
  return !['object', 'record', 'union', 'unknown'].includes(inner._zod.def.type);
}

const listSeparator = '; ';

/** A value as files have it: lists in one cell, objects as JSON. */
export function toCell(value: unknown): Cell {
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

function readRecord(
  { line, cells }: CsvRow,
  body: z.ZodObject,
): { row: ImportedRow; details: ValidationDetail[] } {
  const shape: Readonly<Record<string, z.core.$ZodType>> = body.shape;
  const given: Values = Object.fromEntries(
    Object.entries(cells).flatMap(([name, cell]) => {
      const schema = shape[name];
      const trimmed = unescapeFormula(cell.trim());
      return schema === undefined || trimmed === '' ? [] : [[name, fromCell(trimmed, schema)]];
    }),
  );
  const { value, issues } = runSchema(body, given);
  const refused = { part: 'body' as const, original: given, value: given };
  const unstorable = unstorableTexts(given, 'body');
  const details = unstorable.length > 0 ? unstorable : describeIssues(refused, issues);
  return {
    row: { line, values: value as Values },
    details: details.map((detail) => ({ ...detail, loc: ['body', line, ...detail.loc.slice(1)] })),
  };
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
  const rows = await readCsv(text, { columns: importColumnsOf(body), maxRows, maxRowLength });
  const pace = createPace(sliceMs);
  const read: ImportedRow[] = [];
  const faults: ValidationDetail[] = [];
  for (const row of rows) {
    await pace();
    const { row: entry, details } = readRecord(row, body);
    read.push(entry);
    faults.push(...details);
    if (faults.length >= detailLimit) break;
  }
  if (faults.length > 0) throw new RequestValidationError(faults);
  return read;
}
