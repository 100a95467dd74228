import { z } from 'zod';
import type { Cell } from '../../../lib/text/csv.ts';
import { importColumnsOf, toCell } from '../../../platform/resource/entry-csv.ts';
import type { Resource } from '../../../platform/resource/resource.ts';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { texts } from '../texts/en.ts';

const words = texts.imports;

type ColumnNeed = 'required' | 'oneOf' | 'optional';

/** A column of a file that is imported. */
export interface ImportColumn {
  /** As the header has it. */
  name: string;
  /** The name for people. Undefined where it says nothing more. */
  label: string | undefined;
  /** What it holds, in sentences. */
  about: readonly string[];
  need: ColumnNeed;
  example: string;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** The first example of a schema, or of what it wraps. */
function exampleOf(schema: z.core.$ZodType): unknown {
  const { examples } =
    z.globalRegistry.get(schema) ?? z.globalRegistry.get(unwrapSchema(schema)) ?? {};
  return Array.isArray(examples) ? examples[0] : undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A row of the examples that the schemas have: of the whole entry, else of its members. */
export function exampleRow(body: z.ZodObject): Readonly<Record<string, Cell>> {
  const shape: Shape = body.shape;
  const entry = exampleOf(body);
  const valueOf = (name: string): unknown => {
    if (isRecord(entry)) return entry[name];
    const schema = shape[name];
    return schema === undefined ? undefined : exampleOf(schema);
  };
  const cells = importColumnsOf(body).flatMap((name) => {
    const cell = toCell(valueOf(name));
    return cell === null ? [] : [[name, cell] as const];
  });
  return Object.fromEntries(cells);
}

/** What fits into a cell. Undefined for any text. */
function valuesOf(schema: z.core.$ZodType): string | undefined {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) {
    const each = valuesOf(inner.element);
    return each === undefined ? words.list : `${each} ${words.list}`;
  }
  if (inner instanceof z.ZodEnum)
    return words.values({ values: inner.options.map(String).join(', ') });
  return inner instanceof z.ZodBoolean ? words.boolean : undefined;
}

/** A sentence of the API reference, without its marks for code. */
const plain = (text: string | undefined): string | undefined => text?.replaceAll('`', '');

const needs: readonly ColumnNeed[] = ['required', 'oneOf', 'optional'];

/**
 * The columns of an import, those that are needed first: the members of the body that creates an
 * entry. `required` are needed besides those that the schema needs.
 */
export function importColumns(
  body: z.ZodObject,
  {
    texts: { fields, hints = {} },
    needsOneOf = [],
    required = [],
  }: Pick<Resource, 'needsOneOf'> & {
    texts: Pick<Resource['texts'], 'fields' | 'hints'>;
    required?: readonly string[];
  },
): ImportColumn[] {
  const shape: Shape = body.shape;
  const row = exampleRow(body);
  const needOf = (name: string): ColumnNeed => {
    if (needsOneOf.includes(name)) return 'oneOf';
    const schema = shape[name];
    const isNeeded = schema !== undefined && !z.safeParse(schema, undefined).success;
    return isNeeded || required.includes(name) ? 'required' : 'optional';
  };
  const aboutOf = (name: string): string[] => {
    const schema = shape[name];
    if (schema === undefined) return [];
    const described = hints[name] ?? plain(z.globalRegistry.get(schema)?.description);
    return [described, valuesOf(schema)].filter((text) => text !== undefined);
  };
  const columns = importColumnsOf(body).map((name): ImportColumn => {
    const schema = shape[name];
    const example = row[name] ?? toCell(schema && exampleOf(schema));
    return {
      name,
      label: fields[name],
      about: aboutOf(name),
      need: needOf(name),
      example: String(example ?? ''),
    };
  });
  return needs.flatMap((need) => columns.filter((column) => column.need === need));
}
