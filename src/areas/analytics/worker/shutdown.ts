import type { MessagePort } from 'node:worker_threads';
import type { EventStore } from '../store/duckdb/store.ts';
import type { QuestionHandler } from './question-handler.ts';
import type { ApplyLoop } from './apply-loop.ts';

export interface EndingsDeps {
  /** The thread's own port: nothing else keeps it alive in the end. */
  port: MessagePort;
  store: Pick<EventStore, 'interrupt' | 'close'>;
  /** What is open besides the store. */
  files: readonly { close: () => void }[];
  reader: { close: () => Promise<void> };
  loop: Pick<ApplyLoop, 'stop'>;
  answers: Pick<QuestionHandler, 'close'>;
}

const interruptEveryMs = 5;

/**
 * The ways in which the event store's thread ends. In each it lets the store go only when no
 * statement is at work: DuckDB's binding aborts the whole process when it finds no JavaScript to
 * answer to.
 */
export function createShutdown({ port, store, files, reader, loop, answers }: EndingsDeps) {
  let ending: Promise<void> | undefined;

  async function letGo(): Promise<void> {
    answers.close();
    await reader.close();
    await loop.stop();
    for (const file of files) file.close();
    store.close();
  }

  /** After the transaction in hand and a last checkpoint. */
  function stop(): Promise<void> {
    return (ending ??= letGo().then(() => port.close()));
  }

  /**
   * At once: the transaction in hand is broken off. An interrupt ends one statement, so it is
   * repeated.
   */
  function halt(): void {
    const breakingOff = setInterval(() => store.interrupt(), interruptEveryMs);
    void stop().finally(() => clearInterval(breakingOff));
  }

  return {
    stop: (): void => void stop(),
    halt: (): void => halt(),

    /**
     * With the error, which the other side sees. Another thread opens the file again, so this one
     * must let it go first.
     */
    giveUp(error: unknown): void {
      void letGo().then(() => {
        throw error;
      });
    },
  };
}
