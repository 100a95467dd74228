import type { z } from 'zod';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { describeIssue, runSchema } from '../../../platform/validation/validation-issues.ts';
import { toSnakeCase } from './names.ts';

/** Arguments as the REST API has them: with its names, and left out where GraphQL has null. */
const toParameters = (args: object): object =>
  Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [toSnakeCase(name), value]),
  );

/** Reads arguments by the REST API's schema. Throws RequestValidationError as that API does. */
export function readArguments<Schema extends z.ZodType>(
  schema: Schema,
  args: object,
  part: 'body' | 'query' = 'body',
): z.output<Schema> {
  const parameters = toParameters(args);
  const { value, issues } = runSchema(schema, parameters);
  if (issues.length > 0)
    throw new RequestValidationError(
      issues.flatMap((issue) =>
        describeIssue({ part, original: parameters, value: parameters }, issue),
      ),
    );
  return value as z.output<Schema>;
}
