import { truncateText, fitting } from '../../lib/text/cut.ts';

/** An entry of FastAPI's `HTTPValidationError.detail`, its members in wire order. */
export interface ValidationDetail {
  type: string;
  /** Location: `path`, `query`, `header` or `body`, then the path to the value. */
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

/** A broken rule as a message: whole sentences as they are, others as pydantic begins them. */
export const ruleMessage = (text: string): string =>
  /^[A-Z].*\.$/s.test(text) ? text : `Value error, ${text}`;

/** pydantic's error for a value with the right shape but invalid content. */
export const valueError = (
  loc: readonly (string | number)[],
  message: string,
): ValidationDetail => ({
  type: 'value_error',
  loc: [...loc],
  msg: ruleMessage(message),
  input: null,
  ctx: { error: {} },
});

/** Maximum number of entries in a response. */
export const detailLimit = 100;
/**
 * Maximum number of characters of all entries, so that an error is not far longer than its request.
 */
const sizeLimit = 16_384;
const nameLimit = 200;

const withShortNames = (detail: ValidationDetail): ValidationDetail => ({
  ...detail,
  loc: detail.loc.map((name) => (typeof name === 'string' ? truncateText(name, nameLimit) : name)),
});

/** The request does not match the route's schemas. Answered with 422 HTTPValidationError. */
export class RequestValidationError extends Error {
  override readonly name = 'RequestValidationError';
  readonly details: readonly ValidationDetail[];

  constructor(details: readonly ValidationDetail[]) {
    super('The request does not match its schema.');
    this.details = fitting(details.slice(0, detailLimit).map(withShortNames), sizeLimit);
  }
}
