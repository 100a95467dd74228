import { z } from 'zod';
import { RequestValidationError, type ValidationDetail } from '../validation/validation-error.ts';
import { refuseUnstorable } from '../validation/unstorable-text.ts';
import { describeIssues, runSchema } from '../validation/validation-issues.ts';
import type { Operation } from './operation.ts';

type Values = Readonly<Record<string, unknown>>;
type Part = [name: 'path' | 'query' | 'body', schema: z.ZodType];

/** The schemas of an operation's input, and the part of a request that each is for. */
function partsOf({ params, query, body }: Operation<never>): Part[] {
  const parts: Part[] = [
    ...(params === undefined ? [] : [['path', params] satisfies Part]),
    ...(query === undefined ? [] : [['query', query] satisfies Part]),
    ...(body === undefined ? [] : [['body', body] satisfies Part]),
  ];
  return parts.length > 0 ? parts : [['body', z.object({})]];
}

/** The members of the input, by name: path parameters, then those of the query and the body. */
export function inputShape(operation: Operation<never>): Readonly<Record<string, z.core.$ZodType>> {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [, schema] of partsOf(operation))
    if (schema instanceof z.ZodObject) Object.assign(shape, schema.shape);
  return shape;
}

const isMember = (schema: z.ZodType, name: string): boolean =>
  schema instanceof z.ZodObject && name in schema.shape;

const refusingUnknown = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodObject ? schema.strict() : schema;

/**
 * Reads the input of an operation from one object, as surfaces other than REST have it. Throws
 * RequestValidationError for values that don't fit its schemas, and for unknown members.
 */
export function readInput(operation: Operation<never>, values: Values): object {
  refuseUnstorable(values, 'body');
  const parts = partsOf(operation);
  const input = {};
  const details: ValidationDetail[] = [];
  const rest = new Map(Object.entries(values));
  for (const [at, [part, schema]] of parts.entries()) {
    const isLast = at === parts.length - 1;
    const own = [...rest].filter(([name]) => isLast || isMember(schema, name));
    for (const [name] of own) rest.delete(name);
    const given = Object.fromEntries(own);
    const { value, issues } = runSchema(isLast ? refusingUnknown(schema) : schema, given);
    details.push(...describeIssues({ part, original: given, value: given }, issues));
    Object.assign(input, value);
  }
  if (details.length > 0) throw new RequestValidationError(details);
  return input;
}
