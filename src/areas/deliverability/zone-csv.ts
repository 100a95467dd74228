import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { type Cell, csvText, unguarded } from '../../lib/text/csv.ts';
import {
  RequestValidationError,
  type ValidationDetail,
  valueError,
} from '../../platform/validation/validation-error.ts';
import { serviceCodes, ZoneBody } from './schemas.ts';
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
];
const mostRows = 2000;
const mostFaults = 100;
/** Characters. */
const longestRow = 512 * 1024;

type Cells = Readonly<Record<string, string>>;

const Records = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.int() }) }),
);

const list = (text: string): string[] =>
  text
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
// What is no number stays text, for the schema to refuse.
const number = (text: string): unknown => (/^-?\d+$/.test(text) ? Number(text) : text);
const yesNo = (text: string): unknown =>
  (
    ({ yes: true, no: false, true: true, false: false, '': false }) as Readonly<
      Record<string, boolean>
    >
  )[text.toLowerCase()] ?? text;

function rowOf(zone: Zone): Cell[] {
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
  ];
}

/** Zones as CSV (RFC 4180) with a header. Lists are parted by `;`, the ends of a range by `..`. */
export const writeZones = (zones: readonly Zone[]): string =>
  csvText([columns, ...zones.map(rowOf)]);

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

function candidateOf(cells: Cells): unknown {
  const cell = (name: string) => unguarded((cells[name] ?? '').trim());
  const ranges = list(cell('ranges')).map((text) => {
    const [from = '', to = '', ...more] = text.split('..');
    // What is no range of two ends stays what it is, for the schema to refuse.
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
    services: serviceCodes.flatMap((code) => serviceOf(code, cell)),
  };
}

const fault = (path: readonly (string | number)[], message: string) =>
  valueError(['body', ...path], message);
const isStep = (step: PropertyKey): step is string | number => typeof step !== 'symbol';

/** The names of the columns. Throws a RequestValidationError for those that are not known, or there twice. */
function namesOf(header: readonly string[]): string[] {
  const names = header.slice(0, columns.length + 10).map((name) => name.trim());
  const unknown = names.filter((name) => !columns.includes(name)).map((name) => name.slice(0, 40));
  if (unknown.length > 0)
    throw new RequestValidationError([
      fault(
        [1],
        `columns that are not known: ${unknown.slice(0, 10).join(', ')}. Known are ${columns.join(', ')}`,
      ),
    ]);
  if (new Set(names).size < names.length)
    throw new RequestValidationError([fault([1], 'a column is there twice')]);
  return names;
}

function recordsOf(text: string) {
  try {
    return Records.parse(
      parse(text, {
        bom: true,
        columns: namesOf,
        info: true,
        max_record_size: longestRow,
        relax_column_count_less: true,
        skip_empty_lines: true,
        to: mostRows + 1,
        trim: true,
      }),
    );
  } catch (error) {
    if (error instanceof RequestValidationError) throw error;
    throw new RequestValidationError([
      fault(
        [],
        `this is no CSV with a header: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown'}`,
      ),
    ]);
  }
}

/** Zones of a CSV, with the line that each one ends on. Throws a RequestValidationError that names lines and what is wrong with them. */
export function readZones(text: string): { zones: ZoneBody[]; lines: number[] } {
  const records = recordsOf(text);
  if (records.length === 0) throw new RequestValidationError([fault([], 'there are no rows')]);
  if (records.length > mostRows)
    throw new RequestValidationError([fault([], `there can be ${mostRows} rows`)]);
  const [zones, lines, faults]: [ZoneBody[], number[], ValidationDetail[]] = [[], [], []];
  for (const {
    record,
    info: { lines: line },
  } of records) {
    const { data, error } = ZoneBody.safeParse(candidateOf(record));
    lines.push(line);
    if (data !== undefined) zones.push(data);
    else
      faults.push(
        ...error.issues
          .slice(0, mostFaults)
          .map(({ path, message }) => fault([line, ...path.filter(isStep)], message)),
      );
    if (faults.length >= mostFaults) break;
  }
  if (faults.length > 0) throw new RequestValidationError(faults);
  return { zones, lines };
}
