import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from './command.ts';

/** A temporary failure, worth a retry. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
  /** The wait that the service asked for. */
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs: number | undefined, cause?: unknown) {
    super(message, { cause });
    this.afterMs = afterMs;
  }
}

export interface RetryOptions {
  /** How long to retry, counted from the first failure. */
  maxElapsedMs: number;
  /** Ends the wait between attempts; a running attempt is completed. */
  stop: AbortSignal;
  /** Called before each wait. */
  onWait?: (reason: string, ms: number) => void;
  now?: () => number;
  wait?: (ms: number, stop: AbortSignal) => Promise<unknown>;
}

const initialWaitMs = 250;
const maxWaitMs = 15_000;

/**
 * The wait in ms after attempt `attempt` (from 0): doubles up to 15 seconds, less a random share of
 * up to half (`random` from 0 to 1), but at least what the service asked for.
 */
export function waitMs(attempt: number, afterMs: number | undefined, random: number): number {
  const backoff = Math.min(maxWaitMs, initialWaitMs * 2 ** attempt) * (1 - random / 2);
  return Math.round(Math.max(backoff, afterMs ?? 0));
}

const abortableSleep = async (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal });
const isAborted = (signal: AbortSignal) => signal.aborted;
const unreachable = (cause: TransientError, stop: AbortSignal) =>
  new CommandError(`The service could not be reached: ${cause.message}`, {
    exitCode: stop.aborted ? 130 : 1,
    cause,
  });

/**
 * Retries `work` while it fails with TransientErrors. Resolves with its result and the number of
 * attempts. Rejects with a CommandError after `maxElapsedMs`, or when `stop` is aborted in between.
 */
export async function withRetry<T>(
  work: () => Promise<T>,
  options: RetryOptions,
): Promise<{ result: T; attempts: number }> {
  const { maxElapsedMs, stop, onWait, now = Date.now, wait = abortableSleep } = options;
  let firstFailure: number | undefined;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return { result: await work(), attempts: attempt + 1 };
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      firstFailure ??= now();
      const pause = waitMs(attempt, error.afterMs, Math.random());
      if (isAborted(stop) || now() + pause - firstFailure > maxElapsedMs)
        throw unreachable(error, stop);
      onWait?.(error.message, pause);
      await wait(pause, stop).catch(() => undefined);
      if (isAborted(stop)) throw unreachable(error, stop);
    }
  }
}
