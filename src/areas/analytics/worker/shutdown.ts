import type { MessagePort } from 'node:worker_threads';
import type { EventStore } from '../store/duckdb/store.ts';
import type { ApplyLoop } from './apply-loop.ts';
import type { RequestHandler } from './request-handler.ts';

const interruptEveryMs = 5;

/**
 * Ends the event store's thread. The store is closed only when no statement is running: DuckDB's
 * binding would abort the whole process on a callback into a dead thread.
 */
export function createShutdown({
  port,
  store,
  files,
  reader,
  loop,
  requests,
}: {
  /** The thread's own port, which keeps it alive until closed. */
  port: MessagePort;
  store: Pick<EventStore, 'interrupt' | 'close'>;
  /** Open files besides the store. */
  files: readonly { close: () => void }[];
  reader: { close: () => Promise<void> };
  loop: Pick<ApplyLoop, 'stop'>;
  requests: Pick<RequestHandler, 'close'>;
}) {
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

    /** Ends immediately. An interrupt ends only one statement, so it is repeated. */
    halt: (): void => {
      const interrupting = setInterval(() => store.interrupt(), interruptEveryMs);
      void stop().finally(() => clearInterval(interrupting));
    },

    /** Closes the store, so that another thread can open it, then ends with the error. */
    fail(error: unknown): void {
      void close().then(() => {
        throw error;
      });
    },
  };
}
