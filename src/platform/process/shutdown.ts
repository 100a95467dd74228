import { constants } from 'node:os';
import { createInterrupts } from '../../lib/concurrency/interrupts.ts';

export interface ShutdownOptions {
  /** A monotonic clock, in milliseconds. */
  now: () => number;
  /** Milliseconds that a graceful shutdown may take. */
  limitMs: number;
  /** Shuts down gracefully: finishes pending work and closes everything. Called once. */
  stopGracefully: (signal: NodeJS.Signals) => Promise<void>;
  /** Prepares for an immediate exit. Called once, possibly during `stopGracefully`. */
  prepareExit: () => Promise<void>;
  /** Ends the process. */
  exit: (code: number) => void;
  /** Called once with the reason, before `prepareExit`. */
  onForce: (reason: string, error?: unknown) => void;
}

/**
 * Decides how the process ends: gracefully at the first signal, with exit code 0; by force at
 * another signal at least two seconds later, with 128 plus the signal's number, as a shell reports
 * it; by force with 1 after a fatal error or when the graceful shutdown takes too long.
 */
export function createShutdown({
  now,
  limitMs,
  stopGracefully,
  prepareExit,
  exit,
  onForce,
}: ShutdownOptions) {
  const interrupts = createInterrupts(now);
  let isForced = false;

  function force(code: number, reason: string, error?: unknown): void {
    if (isForced) return;
    isForced = true;
    onForce(reason, error);
    void prepareExit().finally(() => exit(code));
  }

  async function shutDown(signal: NodeJS.Signals): Promise<void> {
    setTimeout(() => force(1, 'could not stop in time'), limitMs).unref();
    try {
      await stopGracefully(signal);
      if (!isForced) exit(0);
    } catch (error) {
      force(1, 'could not stop in order', error);
    }
  }

  return {
    signal: (signal: NodeJS.Signals): void => {
      const interrupt = interrupts();
      if (interrupt === 'first') void shutDown(signal);
      else if (interrupt === 'again')
        force(128 + constants.signals[signal], 'told to stop once more');
    },
    /** Ends the process by force after a fatal error. */
    fail: (reason: string, error: unknown): void => force(1, reason, error),
  };
}
