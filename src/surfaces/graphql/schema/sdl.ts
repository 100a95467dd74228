import { z } from 'zod';
import { toCamelCase } from '../../../lib/text/case.ts';
import { isIntegerSchema, unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { labelOf, nameOfAlike, type TypeNames } from './type-definitions.ts';

/** A description in SDL. */
export const described = (text: string): string => `"""${text.replaceAll('"""', '"')}"""`;

/** Says who may use a field, given the scope that it requires. */
export const accessNote = (scope: string): string =>
  scope === 'admin' ? 'For admins.' : `For callers with the scope ${scope}.`;

/** The type of an argument or a member of an input, without `!`. Objects are `JSON`. */
function inputTypeOf(schema: z.core.$ZodType, names: TypeNames): string {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return `[${inputTypeOf(inner.element, names)}!]`;
  if (inner instanceof z.ZodEnum) return names.get(inner) ?? nameOfAlike(names, inner) ?? 'String';
  if (inner instanceof z.ZodISODateTime) return 'DateTime';
  const { type } = inner._zod.def;
  if (type === 'number') return isIntegerSchema(inner) ? 'Int' : 'Float';
  if (type === 'boolean') return 'Boolean';
  return type === 'string' ? 'String' : 'JSON';
}

export const isRequired = (schema: z.core.$ZodType): boolean =>
  !z.safeParse(schema, undefined).success;

export interface MemberOptions {
  names: TypeNames;
  labels?: Readonly<Partial<Record<string, string>>> | undefined;
  /** Replaces the type of the schema. */
  type?: string;
  /** Replaces the description of the schema. */
  text?: string;
}

/** A member of an input, or an argument, with its description. */
export function memberSdl(
  [member, schema]: [string, z.core.$ZodType],
  { names, labels, type, text }: MemberOptions,
): string {
  const description = text ?? z.globalRegistry.get(schema)?.description ?? labelOf(member, labels);
  const bang = isRequired(schema) ? '!' : '';
  return `  ${described(description)}
  ${toCamelCase(member)}: ${type ?? inputTypeOf(schema, names)}${bang}`;
}

/** The members of an input, or arguments, with their descriptions. */
export const membersSdl = (schema: z.ZodObject, options: MemberOptions): string =>
  Object.entries<z.core.$ZodType>(schema.shape)
    .map((member) => memberSdl(member, options))
    .join('\n');

/** The arguments of a connection. */
export const pageArguments = (first: number): string => `
  """Maximum entries per page, 1 to 100."""
  first: Int = ${first}
  """The \`endCursor\` of the previous page."""
  after: String`;
