import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';

/** Creates a 422 error for a value that the schema accepts; `path` is its path in the body. */
export const invalidBody = (
  path: readonly (string | number)[],
  message: string,
  input: unknown,
): RequestValidationError =>
  new RequestValidationError([{ ...valueError(['body', ...path], message), input }]);
