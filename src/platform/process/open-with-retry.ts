import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isStoreUnavailable } from '../errors/store-failures.ts';

export interface RetryOptions {
  /** The store's name in the log. */
  name: string;
  /** Milliseconds to keep retrying; 0 for a single attempt. */
  limitMs: number;
  logger: Logger;
  /** Milliseconds between two attempts. */
  pauseMs?: number;
}

const logIntervalMs = 5000;

/** The error of a failed start has the driver's error among its causes. */
function isUnavailable(error: unknown): boolean {
  return (
    isStoreUnavailable(error) ||
    (error instanceof Error && error.cause !== undefined && isUnavailable(error.cause))
  );
}

/**
 * Opens a store, with retries while its server is unavailable: a service that starts together with
 * its stores is often ready first. Rejects with the last error after `limitMs`, and at once with
 * any other error, such as a wrong password.
 */
export async function openWithRetry<T>(
  open: () => Promise<T>,
  { name, limitMs, logger, pauseMs = 500 }: RetryOptions,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  let loggedAt = -Infinity;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const now = performance.now();
      if (!isUnavailable(error) || now >= deadline) throw error;
      if (now - loggedAt >= logIntervalMs) {
        loggedAt = now;
        const reason = error instanceof Error ? error.message : 'unknown';
        logger.warn(
          { store: name, reason, seconds_left: Math.round((deadline - now) / 1000) },
          'starting: a store is away, waiting for it',
        );
      }
    }
    await delay(pauseMs);
  }
}
