import type { z } from 'zod';
import { createPace } from '../../../lib/concurrency/pace.ts';
import { type Cell, toCsv, unescapeFormula } from '../../../lib/text/csv.ts';
import { type CsvRow, readCsv } from '../../../platform/resource/read-csv.ts';
import { unstorableTexts } from '../../../platform/validation/unstorable-text.ts';
import {
  detailLimit,
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from '../../../platform/validation/validation-error.ts';
import { serviceCodes, ZoneBody } from './schemas.ts';
import type { Zone } from './store.ts';

const serviceColumns = ['min_days', 'max_days', 'price', 'cod', 'max_weight_g'] as const;
const columns = [
  'name',
  'country',
  'priority',
  'currency',
  'codes',
  'ranges',
  'prefixes',
  ...serviceCodes.flatMap((code) => serviceColumns.map((column) => `${code}_${column}`)),
  'rule',
];
const maxRows = 2000;
/** Characters. */
const maxRowLength = 512 * 1024;
/** Time that rows may take per turn of the event loop: milliseconds. */
const sliceMs = 4;

type Cells = CsvRow['cells'];

const list = (text: string): string[] =>
  text
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
// Any other text is kept as it is, for the schema to reject.
const number = (text: string): unknown => (/^-?\d+$/.test(text) ? Number(text) : text);
const booleans = new Map([
  ...['yes', 'true'].map((text) => [text, true] as const),
  ...['no', 'false', ''].map((text) => [text, false] as const),
]);
const yesNo = (text: string): unknown => booleans.get(text.toLowerCase()) ?? text;

function toRow(zone: Zone): Cell[] {
  const services = serviceCodes.flatMap((code) => {
    const service = zone.services.find((each) => each.code === code);
    if (service === undefined) return serviceColumns.map(() => '');
    return [
      service.min_days,
      service.max_days,
      service.price ?? '',
      service.cod ? 'yes' : 'no',
      service.max_weight_g,
    ];
  });
  const ranges = zone.ranges.map(({ from, to }) => `${from}..${to}`);
  return [
    zone.name,
    zone.country,
    zone.priority,
    zone.currency ?? '',
    zone.codes.join(';'),
    ranges.join(';'),
    zone.prefixes.join(';'),
    ...services,
    zone.rule ? 'yes' : 'no',
  ];
}

/** Zones as CSV (RFC 4180) with a header. Lists are separated by `;`, range ends by `..`. */
export const writeZones = (zones: readonly Zone[]): string => toCsv([columns, ...zones.map(toRow)]);

function serviceOf(code: string, cell: (name: string) => string) {
  const [min, max, price, cod, weight] = serviceColumns.map((column) => cell(`${code}_${column}`));
  if ([min, max, price, cod, weight].every((text) => text === '')) return [];
  return [
    {
      code,
      min_days: number(min ?? ''),
      max_days: number(max ?? ''),
      price: price === '' ? null : price,
      cod: yesNo(cod ?? ''),
      max_weight_g: weight === '' ? null : number(weight ?? ''),
    },
  ];
}

function parseZone(cells: Cells): unknown {
  const cell = (name: string) => unescapeFormula((cells[name] ?? '').trim());
  const ranges = list(cell('ranges')).map((text) => {
    const [from = '', to = '', ...more] = text.split('..');
    // A range with more than two ends stays a string, for the schema to reject.
    return more.length > 0 ? text : { from: from.trim(), to: to.trim() };
  });
  return {
    name: cell('name'),
    country: cell('country'),
    priority: cell('priority') === '' ? 0 : number(cell('priority')),
    currency: cell('currency') === '' ? null : cell('currency'),
    codes: list(cell('codes')),
    ranges,
    prefixes: list(cell('prefixes')),
    rule: yesNo(cell('rule')),
    services: serviceCodes.flatMap((code) => serviceOf(code, cell)),
  };
}

const bodyError = (path: readonly (string | number)[], message: string) =>
  valueError(['body', ...path], message);
const isStep = (step: PropertyKey): step is string | number => typeof step !== 'symbol';

/** Errors of a row, by line and member. */
function rowErrors({ line }: CsvRow, zone: unknown, issues: readonly z.core.$ZodIssue[]) {
  const unstorable = unstorableTexts(zone, 'body', [line]);
  if (unstorable.length > 0) return unstorable;
  return issues
    .slice(0, detailLimit)
    .map(({ path, message }) => bodyError([line, ...path.filter(isStep)], message));
}

/**
 * Reads zones from CSV, with the line on which each one ends. Rejects with a RequestValidationError
 * that names the invalid lines.
 */
export async function readZones(text: string): Promise<{ zones: ZoneBody[]; lines: number[] }> {
  const rows = await readCsv(text, { columns, maxRows, maxRowLength, mayEndEarly: true });
  if (rows.length === 0) throw new RequestValidationError([bodyError([], 'there are no rows')]);
  const pace = createPace(sliceMs);
  const zones: ZoneBody[] = [];
  const errors: ValidationDetail[] = [];
  for (const row of rows) {
    await pace();
    const zone = parseZone(row.cells);
    const { data, error } = ZoneBody.safeParse(zone);
    if (data !== undefined) zones.push(data);
    errors.push(...rowErrors(row, zone, error?.issues ?? []));
    if (errors.length >= detailLimit) break;
  }
  if (errors.length > 0) throw new RequestValidationError(errors);
  return { zones, lines: rows.map(({ line }) => line) };
}
