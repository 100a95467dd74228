import { truncateText, fitting } from '../../lib/text/cut.ts';

/** An entry of FastAPI's `HTTPValidationError.detail`, its members in wire order. */
export interface ValidationDetail {
  type: string;
  /** Where: `path`, `query`, `header` or `body`, then the way down to the value. */
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

/** A value that has the right shape and is wrong all the same, as pydantic says it. */
export const valueError = (
  loc: readonly (string | number)[],
  message: string,
): ValidationDetail => ({
  type: 'value_error',
  loc: [...loc],
  msg: `Value error, ${message}`,
  input: null,
  ctx: { error: {} },
});

/** Entries that an answer has at most. */
export const detailLimit = 100;
/** Characters of all entries: a refusal must not be many times as long as what it refuses. */
const sizeLimit = 16_384;
const nameLimit = 200;

const withShortNames = (detail: ValidationDetail): ValidationDetail => ({
  ...detail,
  loc: detail.loc.map((name) => (typeof name === 'string' ? truncateText(name, nameLimit) : name)),
});

/** The request does not have the shape the route declares. Answered as 422 HTTPValidationError. */
export class RequestValidationError extends Error {
  override readonly name = 'RequestValidationError';
  readonly details: readonly ValidationDetail[];

  constructor(details: readonly ValidationDetail[]) {
    super('The request does not match its schema.');
    this.details = fitting(details.slice(0, detailLimit).map(withShortNames), sizeLimit);
  }
}
