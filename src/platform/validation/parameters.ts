import type { z } from 'zod';
import { isIntegerSchema, unwrapSchema } from './zod-inspection.ts';

type ValueType = 'text' | 'integer' | 'number' | 'coerced' | 'boolean' | 'list';

interface Parameter {
  name: string;
  type: ValueType;
  /** How each item of a list is parsed. */
  item: ValueType;
}

const integerText = /^\s*[+-]?\d+(?:\.0+)?\s*$/;
const numberText = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const booleanTexts = new Map([
  ...['1', 'on', 't', 'true', 'y', 'yes'].map((word): [string, boolean] => [word, true]),
  ...['0', 'off', 'f', 'false', 'n', 'no'].map((word): [string, boolean] => [word, false]),
]);

function valueTypeOf(schema: z.core.$ZodType): ValueType | undefined {
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

function itemTypeOf(schema: z.core.$ZodType): ValueType {
  const { def } = unwrapSchema(schema)._zod;
  return def.type === 'array'
    ? (valueTypeOf((def as z.core.$ZodArrayDef).element) ?? 'text')
    : 'text';
}

function parseValue(text: string, type: ValueType): unknown {
  switch (type) {
    case 'integer':
      return integerText.test(text) ? Number(text) : text;
    case 'number':
      return numberText.test(text) ? Number(text) : text;
    // zod itself would coerce '' to 0 and '0x10' to 16. NaN makes it refuse anything but decimals.
    case 'coerced':
      return numberText.test(text) ? Number(text) : Number.NaN;
    case 'boolean':
      return booleanTexts.get(text.toLowerCase()) ?? text;
    default:
      return text;
  }
}

function parseParameter(value: unknown, { type, item }: Parameter): unknown {
  if (type === 'list') {
    const items: unknown[] = Array.isArray(value) ? value : [value];
    return items.map((entry) => (typeof entry === 'string' ? parseValue(entry, item) : entry));
  }
  const last: unknown = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' ? parseValue(last, type) : last;
}

/** True when a value of the schema may be a list. */
function acceptsList(schema: z.core.$ZodType): boolean {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type === 'union') return (def as z.core.$ZodUnionDef).options.some(acceptsList);
  return ['array', 'tuple', 'set', 'any', 'unknown', 'transform', 'custom'].includes(def.type);
}

/** Returns the names of single-valued parameters. A request that repeats one is ambiguous. */
export function singleParameters(schema: z.core.$ZodType): string[] {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type !== 'object') return [];
  const members = Object.entries((def as z.core.$ZodObjectDef).shape);
  return members.filter(([, member]) => !acceptsList(member)).map(([name]) => name);
}

/**
 * Creates a parser for the text-only parts of a request (path, query, headers). Like FastAPI, it
 * converts the text of each declared parameter to the number, boolean or list of its schema. It
 * uses the last value of a repeated parameter; `singleParameters` serves to refuse such requests.
 * Invalid values stay text, which the schema refuses. Returns undefined when there is nothing to
 * convert.
 */
export function createParameterParser(
  schema: z.core.$ZodType,
): ((values: object) => object) | undefined {
  const { def } = unwrapSchema(schema)._zod;
  if (def.type !== 'object') return undefined;
  const parameters = Object.entries((def as z.core.$ZodObjectDef).shape).flatMap(
    ([name, member]): Parameter[] => {
      const type = valueTypeOf(member);
      return type === undefined ? [] : [{ name, type, item: itemTypeOf(member) }];
    },
  );
  return parameters.length === 0 ? undefined : (values) => parseParameters(values, parameters);
}

function parseParameters(values: object, parameters: readonly Parameter[]): object {
  const read: Record<string, unknown> = { ...values };
  for (const parameter of parameters) {
    const value = read[parameter.name];
    if (value !== undefined) read[parameter.name] = parseParameter(value, parameter);
  }
  return read;
}
