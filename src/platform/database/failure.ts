import type { AppError } from '../errors/errors.ts';
import { requestErrors } from '../errors/errors.ts';

/** Thrown by openDatabase: one line for the operator, without credentials. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** The SQLSTATE of a driver's error, or a system code such as ECONNREFUSED. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** True when the server itself said it. EPIPE has five letters too; every SQLSTATE has a digit. */
export function isSqlState(error: unknown): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(errorCode(error) ?? '');
}

/**
 * True when the server could not take the statement at all, so that the same one may work in a
 * moment: no SQLSTATE (the connection broke), one of class 08 (connection), 53 (resources), 57P
 * (shutdown, starting up) or 58 (its disk), or 25006: the server is read-only, as after a failover,
 * and another one behind the same address may not be.
 */
export function isConnectionFailure(error: unknown): boolean {
  return !isSqlState(error) || /^(?:08|25006|53|57P|58)/.test(errorCode(error) ?? '');
}

/**
 * The public 400 for a text that PostgreSQL can't hold (SQLSTATE 22021: U+0000); undefined for any
 * other error. Schemas that are to take a text say what it may have; this is for those that only
 * look something up.
 */
export function unstorableText(error: unknown): AppError | undefined {
  return errorCode(error) === '22021'
    ? requestErrors.invalid({
        detail: 'A text of the request has the character U+0000.',
        cause: error,
      })
    : undefined;
}

/** Whether the server ended a statement for time (57014) or for a lock (55P03). */
export const isTooSlow = (error: unknown): boolean =>
  ['57014', '55P03'].includes(errorCode(error) ?? '');

/** The public 503 for an unreachable database; the driver's error is its cause. */
export function databaseUnavailable(cause: unknown): AppError {
  return requestErrors.unavailable({ headers: { 'retry-after': '1' }, cause });
}
