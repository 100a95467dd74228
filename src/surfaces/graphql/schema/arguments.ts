import type { z } from 'zod';
import { RequestValidationError } from '../../../platform/validation/validation-error.ts';
import { describeIssue, runSchema } from '../../../platform/validation/validation-issues.ts';

/** GraphQL has null where the REST API leaves out. */
function withoutNulls(value: object): object {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== null && each !== undefined),
  );
}

/** Arguments read by the schema of the REST API that takes the same. Throws a RequestValidationError, which names what is wrong as that API does. */
export function checkedInput<Schema extends z.ZodType>(
  schema: Schema,
  given: object,
  part: 'body' | 'query' = 'body',
): z.output<Schema> {
  const value = withoutNulls(given);
  const { value: read, issues } = runSchema(schema, value);
  if (issues.length > 0)
    throw new RequestValidationError(
      issues.flatMap((issue) => describeIssue({ part, original: value, value }, issue)),
    );
  return read as z.output<Schema>;
}
