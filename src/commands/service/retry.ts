import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from './command.ts';

/** A failure that may pass by itself. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
  /** How long the service asked to wait. */
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs: number | undefined, cause?: unknown) {
    super(message, { cause });
    this.afterMs = afterMs;
  }
}

export interface RetryOptions {
  /** How long failures are borne with, from the first one on. */
  patienceMs: number;
  /** Ends the waiting; a request under way is finished. */
  stop: AbortSignal;
  /** Told before each wait. */
  onWait?: (reason: string, ms: number) => void;
  now?: () => number;
  wait?: (ms: number, stop: AbortSignal) => Promise<unknown>;
}

const initialWaitMs = 250;
const maxWaitMs = 15_000;

/**
 * The wait before attempt `attempt` + 1: doubling up to 15 seconds, by chance up to half less, at
 * least what the service asked for.
 */
export function waitMs(attempt: number, afterMs: number | undefined, random: number): number {
  const backoff = Math.min(maxWaitMs, initialWaitMs * 2 ** attempt) * (1 - random / 2);
  return Math.round(Math.max(backoff, afterMs ?? 0));
}

const abortableSleep = async (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal });
const isAborted = (signal: AbortSignal) => signal.aborted;
const unreached = (cause: TransientError, stop: AbortSignal) =>
  new CommandError(`The service could not be reached: ${cause.message}`, {
    exitCode: stop.aborted ? 130 : 1,
    cause,
  });

/**
 * Does `work` again while it fails with TransientErrors. Gives its result and how many attempts it
 * took. Rejects with a CommandError when the patience is used up or `stop` is aborted in between.
 */
export async function withRetry<T>(
  work: () => Promise<T>,
  options: RetryOptions,
): Promise<{ result: T; attempts: number }> {
  const { patienceMs, stop, onWait, now = Date.now, wait = abortableSleep } = options;
  let firstFailure: number | undefined;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return { result: await work(), attempts: attempt + 1 };
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      firstFailure ??= now();
      const pause = waitMs(attempt, error.afterMs, Math.random());
      if (isAborted(stop) || now() + pause - firstFailure > patienceMs)
        throw unreached(error, stop);
      onWait?.(error.message, pause);
      await wait(pause, stop).catch(() => undefined);
      if (isAborted(stop)) throw unreached(error, stop);
    }
  }
}
