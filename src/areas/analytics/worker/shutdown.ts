import type { MessagePort } from 'node:worker_threads';
import type { EventStore } from '../store/duckdb/store.ts';
import type { ApplyLoop } from './apply-loop.ts';
import type { RequestHandler } from './request-handler.ts';

export interface ShutdownDeps {
  /** The thread's own port: the last thing that keeps it alive. */
  port: MessagePort;
  store: Pick<EventStore, 'interrupt' | 'close'>;
  /** Open files besides the store. */
  files: readonly { close: () => void }[];
  reader: { close: () => Promise<void> };
  loop: Pick<ApplyLoop, 'stop'>;
  requests: Pick<RequestHandler, 'close'>;
}

const interruptEveryMs = 5;

/**
 * The ways in which the event store's thread ends. Each closes the store only when no statement is
 * at work: DuckDB's binding aborts the whole process when it finds no JavaScript to answer to.
 */
export function createShutdown({ port, store, files, reader, loop, requests }: ShutdownDeps) {
  let stopping: Promise<void> | undefined;

  async function close(): Promise<void> {
    requests.close();
    await reader.close();
    await loop.stop();
    for (const file of files) file.close();
    store.close();
  }

  const stop = (): Promise<void> => (stopping ??= close().then(() => port.close()));

  return {
    /** Ends after the current transaction and a last checkpoint. */
    stop: (): void => void stop(),

    /** Ends at once. An interrupt ends one statement only, so it is repeated. */
    halt: (): void => {
      const interrupting = setInterval(() => store.interrupt(), interruptEveryMs);
      void stop().finally(() => clearInterval(interrupting));
    },

    /** Ends with the error, which the main thread sees, once another thread can open the file. */
    fail(error: unknown): void {
      void close().then(() => {
        throw error;
      });
    },
  };
}
