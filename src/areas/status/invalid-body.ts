import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';

/** A 422 for a value of the right shape; `path` leads to it within the body. */
export const invalidBody = (
  path: readonly (string | number)[],
  message: string,
  input: unknown,
): RequestValidationError =>
  new RequestValidationError([{ ...valueError(['body', ...path], message), input }]);
