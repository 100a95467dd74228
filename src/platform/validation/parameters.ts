import type { z } from 'zod';
import { isIntegerSchema, unwrapSchema } from './zod-inspection.ts';

type Reading = 'text' | 'integer' | 'number' | 'coerced' | 'boolean' | 'list';

interface Parameter {
  name: string;
  reading: Reading;
  /** How each item of a list is read. */
  item: Reading;
}

const integerText = /^\s*[+-]?\d+(?:\.0+)?\s*$/;
const numberText = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const booleanTexts = new Map([
  ...['1', 'on', 't', 'true', 'y', 'yes'].map((word): [string, boolean] => [word, true]),
  ...['0', 'off', 'f', 'false', 'n', 'no'].map((word): [string, boolean] => [word, false]),
]);

function readingOf(schema: z.core.$ZodType): Reading | undefined {
  const leaf = unwrapSchema(schema)._zod;
  switch (leaf.def.type) {
    case 'string':
    case 'enum':
    case 'literal':
      return 'text';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'list';
    case 'number':
      if ('coerce' in leaf.def && leaf.def.coerce === true) return 'coerced';
      return isIntegerSchema({ _zod: leaf }) ? 'integer' : 'number';
    default:
      return undefined;
  }
}

function itemReading(schema: z.core.$ZodType): Reading {
  const { def } = unwrapSchema(schema)._zod;
  return def.type === 'array'
    ? (readingOf((def as z.core.$ZodArrayDef).element) ?? 'text')
    : 'text';
}

function readText(text: string, reading: Reading): unknown {
  switch (reading) {
    case 'integer':
      return integerText.test(text) ? Number(text) : text;
    case 'number':
      return numberText.test(text) ? Number(text) : text;
    // zod itself would read '' as 0 and '0x10' as 16; NaN makes it refuse what is not decimal.
    case 'coerced':
      return numberText.test(text) ? Number(text) : Number.NaN;
    case 'boolean':
      return booleanTexts.get(text.toLowerCase()) ?? text;
    default:
      return text;
  }
}

function readParameter(value: unknown, { reading, item }: Parameter): unknown {
  if (reading === 'list') {
    const items: unknown[] = Array.isArray(value) ? value : [value];
    return items.map((entry) => (typeof entry === 'string' ? readText(entry, item) : entry));
  }
  const last: unknown = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' ? readText(last, reading) : last;
}

/** Whether a value of the schema may be a list, or anything at all. */
function takesList(schema: z.core.$ZodType): boolean {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type === 'union') return (def as z.core.$ZodUnionDef).options.some(takesList);
  return ['array', 'tuple', 'set', 'any', 'unknown', 'transform', 'custom'].includes(def.type);
}

/** The parameters with one value: a request that gives one twice is ambiguous. */
export function singleParameters(schema: z.core.$ZodType): string[] {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type !== 'object') return [];
  const members = Object.entries((def as z.core.$ZodObjectDef).shape);
  return members.filter(([, member]) => !takesList(member)).map(([name]) => name);
}

/**
 * Makes a reader for the text-only parts of a request (path, query, headers): it turns the text of
 * each declared parameter into the number, boolean or list its schema asks for, as FastAPI does. Of
 * a repeated one it reads the last value; that such a request is refused is up to
 * `singleParameters`. What cannot be read stays text, for the schema to refuse. `undefined` when
 * there is nothing to turn.
 */
export function createParameterReader(
  schema: z.core.$ZodType,
): ((values: object) => object) | undefined {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type !== 'object') return undefined;
  const parameters = Object.entries((def as z.core.$ZodObjectDef).shape).flatMap(
    ([name, member]): Parameter[] => {
      const reading = readingOf(member);
      return reading === undefined ? [] : [{ name, reading, item: itemReading(member) }];
    },
  );
  return parameters.length === 0 ? undefined : (values) => readParameters(values, parameters);
}

function readParameters(values: object, parameters: readonly Parameter[]): object {
  const read: Record<string, unknown> = { ...values };
  for (const parameter of parameters) {
    const value = read[parameter.name];
    if (value !== undefined) read[parameter.name] = readParameter(value, parameter);
  }
  return read;
}
