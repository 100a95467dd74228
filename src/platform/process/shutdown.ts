import { constants } from 'node:os';
import { createInterrupts } from '../../lib/concurrency/interrupts.ts';

export interface ShutdownOptions {
  /** Milliseconds that only go forward. */
  now: () => number;
  /** How long ending in order may take. */
  limitMs: number;
  /** Finishes what is under way and closes everything. Called once. */
  inOrder: (signal: NodeJS.Signals) => Promise<void>;
  /** Makes the process ready to exit at any moment. Called once, perhaps during `inOrder`. */
  byForce: () => Promise<void>;
  /** Ends the process. */
  exit: (code: number) => void;
  /** Told why, once, before `byForce`. */
  onForce: (reason: string, error?: unknown) => void;
}

/**
 * Decides how the process ends: in order at the first signal, with 0; by force at another one two
 * seconds later or more, with 128 and the signal's number, as a shell would report it; by force
 * with 1 when something has failed or ending in order takes too long.
 */
export function createShutdown({ now, limitMs, inOrder, byForce, exit, onForce }: ShutdownOptions) {
  const interrupts = createInterrupts(now);
  let isForced = false;

  function force(code: number, reason: string, error?: unknown): void {
    if (isForced) return;
    isForced = true;
    onForce(reason, error);
    void byForce().finally(() => exit(code));
  }

  async function endInOrder(signal: NodeJS.Signals): Promise<void> {
    setTimeout(() => force(1, 'could not stop in time'), limitMs).unref();
    try {
      await inOrder(signal);
      if (!isForced) exit(0);
    } catch (error) {
      force(1, 'could not stop in order', error);
    }
  }

  return {
    signal: (signal: NodeJS.Signals): void => {
      const interrupt = interrupts();
      if (interrupt === 'first') void endInOrder(signal);
      else if (interrupt === 'again')
        force(128 + constants.signals[signal], 'told to stop once more');
    },
    /** After this error nothing may go on. */
    fail: (reason: string, error: unknown): void => force(1, reason, error),
  };
}
