import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';

/**
 * A body of the right shape with a value that can't be meant, as 422. `path` leads to the value
 * within the body.
 */
export const invalidBody = (
  path: readonly (string | number)[],
  message: string,
  input: unknown,
): RequestValidationError =>
  new RequestValidationError([{ ...valueError(['body', ...path], message), input }]);
