import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { type Cell, csvText, unguarded } from '../../../lib/text/csv.ts';
import {
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from '../../../platform/validation/validation-error.ts';
import { serviceCodes, ZoneBody } from '../schemas.ts';
import type { Zone } from './zone-store.ts';

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
const maxErrors = 100;
/** Characters. */
const maxRowLength = 512 * 1024;

type Cells = Readonly<Record<string, string>>;

const Records = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.int() }) }),
);

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
export const writeZones = (zones: readonly Zone[]): string =>
  csvText([columns, ...zones.map(toRow)]);

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
  const cell = (name: string) => unguarded((cells[name] ?? '').trim());
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
const refusal = (path: readonly (string | number)[], message: string) =>
  new RequestValidationError([bodyError(path, message)]);
const isStep = (step: PropertyKey): step is string | number => typeof step !== 'symbol';

/** Throws a RequestValidationError for columns that are unknown or repeated. */
function readHeader(header: readonly string[]): string[] {
  const names = header.slice(0, columns.length + 10).map((name) => name.trim());
  const unknown = names.filter((name) => !columns.includes(name)).map((name) => name.slice(0, 40));
  if (unknown.length > 0) {
    const listed = unknown.slice(0, 10).join(', ');
    throw refusal([1], `columns that are not known: ${listed}. Known are ${columns.join(', ')}`);
  }
  if (new Set(names).size < names.length) throw refusal([1], 'a column is there twice');
  return names;
}

function readRecords(text: string) {
  try {
    return Records.parse(
      parse(text, {
        bom: true,
        columns: readHeader,
        info: true,
        max_record_size: maxRowLength,
        relax_column_count_less: true,
        skip_empty_lines: true,
        to: maxRows + 1,
        trim: true,
      }),
    );
  } catch (error) {
    if (error instanceof RequestValidationError) throw error;
    const reason = error instanceof Error ? error.message.slice(0, 200) : 'unknown';
    throw refusal([], `this is no CSV with a header: ${reason}`);
  }
}

/**
 * Reads zones from CSV, with the line on which each one ends. Throws a RequestValidationError that
 * names the invalid lines.
 */
export function readZones(text: string): { zones: ZoneBody[]; lines: number[] } {
  const records = readRecords(text);
  if (records.length === 0) throw refusal([], 'there are no rows');
  if (records.length > maxRows) throw refusal([], `there can be ${maxRows} rows`);
  const lines = records.map(({ info }) => info.lines);
  const zones: ZoneBody[] = [];
  const errors: ValidationDetail[] = [];
  for (const [index, { record }] of records.entries()) {
    const { data, error } = ZoneBody.safeParse(parseZone(record));
    if (data !== undefined) zones.push(data);
    for (const { path, message } of error?.issues.slice(0, maxErrors) ?? [])
      errors.push(bodyError([lines[index] ?? 0, ...path.filter(isStep)], message));
    if (errors.length >= maxErrors) break;
  }
  if (errors.length > 0) throw new RequestValidationError(errors);
  return { zones, lines };
}
