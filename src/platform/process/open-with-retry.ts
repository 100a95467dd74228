import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isStoreUnavailable } from '../errors/store-failures.ts';

export interface RetryOptions {
  /** What is waited for, for the log. */
  name: string;
  /** How long, in ms; 0: not at all. */
  limitMs: number;
  logger: Logger;
  /** Between two tries, in ms. */
  pauseMs?: number;
}

const logIntervalMs = 5000;

/** What a start fails with says in its causes what the driver said. */
function isUnavailable(error: unknown): boolean {
  return (
    isStoreUnavailable(error) ||
    (error instanceof Error && error.cause !== undefined && isUnavailable(error.cause))
  );
}

/**
 * Opens a store, trying again while its server is away: a service that is started together with its
 * stores is often first. Rejects with the last error after `limitMs`, and at once with any other
 * error, such as a wrong password.
 */
export async function openWithRetry<T>(
  open: () => Promise<T>,
  { name, limitMs, logger, pauseMs = 500 }: RetryOptions,
): Promise<T> {
  const until = performance.now() + limitMs;
  let saidAt = -Infinity;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const now = performance.now();
      if (!isUnavailable(error) || now >= until) throw error;
      if (now - saidAt >= logIntervalMs) {
        saidAt = now;
        const reason = error instanceof Error ? error.message : 'unknown';
        logger.warn(
          { store: name, reason, seconds_left: Math.round((until - now) / 1000) },
          'starting: a store is away, waiting for it',
        );
      }
    }
    await delay(pauseMs);
  }
}
