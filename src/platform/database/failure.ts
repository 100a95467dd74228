import type { AppError } from '../errors/errors.ts';
import { requestErrors } from '../errors/errors.ts';

/** Thrown by openDatabase. The message is one line for the operator, without credentials. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** Returns the SQLSTATE of a driver's error, or a system code such as ECONNREFUSED. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * True for an error that the server itself sent. Every SQLSTATE has five characters and a digit;
 * EPIPE has five letters.
 */
export function isSqlState(error: unknown): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(errorCode(error) ?? '');
}

/**
 * True when the server could not run the statement at all, so that a retry may succeed: no SQLSTATE
 * (the connection broke), one of class 08 (connection), 53 (resources), 57P (shutdown, starting up)
 * or 58 (disk), or 25006: the server is read-only, as after a failover, and another server behind
 * the same address may not be.
 */
export function isConnectionFailure(error: unknown): boolean {
  return !isSqlState(error) || /^(?:08|25006|53|57P|58)/.test(errorCode(error) ?? '');
}

/**
 * The public 400 for a text that PostgreSQL can't store (SQLSTATE 22021: U+0000); undefined for any
 * other error. Schemas of stored texts already reject it; this covers texts that are only looked
 * up.
 */
export function unstorableText(error: unknown): AppError | undefined {
  return errorCode(error) === '22021'
    ? requestErrors.invalid({
        detail: 'The request contains the character U+0000. Remove it.',
        cause: error,
      })
    : undefined;
}

/** True when the server ended a statement for its timeout (57014) or lock timeout (55P03). */
export const isTooSlow = (error: unknown): boolean =>
  ['57014', '55P03'].includes(errorCode(error) ?? '');

/** The public 503 for an unreachable database, with the driver's error as its cause. */
export function databaseUnavailable(cause: unknown): AppError {
  return requestErrors.unavailable({ headers: { 'retry-after': '1' }, cause });
}
