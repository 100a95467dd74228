import { RequestValidationError } from '../../../platform/validation/validation-error.ts';

/** A body that has the right shape and can not be meant so: 422 as for a wrong shape. `loc` is the way down to the value. */
export function invalidBody(
  loc: readonly (string | number)[],
  message: string,
  input: unknown,
): RequestValidationError {
  return new RequestValidationError([
    {
      type: 'value_error',
      loc: ['body', ...loc],
      msg: `Value error, ${message}`,
      input,
      ctx: { error: {} },
    },
  ]);
}
