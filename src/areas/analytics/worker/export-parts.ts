import { MessageChannel } from 'node:worker_threads';
import { toError } from '../../../lib/to-error.ts';
import type { ExportStoreQuery } from '../store/queries.ts';
import type { EventThread } from './event-thread.ts';

export interface ExportOptions {
  /** Aborting cancels the export. */
  signal: AbortSignal;
  /** Called when the store has stopped working on the export. */
  settled: () => void;
}

/** A queue of received parts; null marks the end. */
function createPartQueue() {
  const parts: (Uint8Array | null)[] = [];
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  return {
    push(part: Uint8Array | null): void {
      parts.push(part);
      wake?.();
    },
    fail: (error: unknown): void => {
      failure ??= toError(error);
      wake?.();
    },
    /** Returns the next part. Rejects with the first failure once the queue is empty. */
    async next(): Promise<Uint8Array | null> {
      for (;;) {
        const part = parts.shift();
        if (part !== undefined) return part;
        if (failure !== undefined) throw failure;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/**
 * Yields the parts of an export as fast as they are consumed, and returns the number of rows.
 * Throws when the store fails midway, and the reason of an aborted signal.
 */
export async function* exportParts(
  thread: EventThread,
  query: ExportStoreQuery,
  { signal, settled }: ExportOptions,
): AsyncGenerator<Uint8Array, number> {
  const { port1, port2 } = new MessageChannel();
  const queue = createPartQueue();
  port1.on('message', (part: Uint8Array | null) => queue.push(part));
  const finished = thread
    .ask('export', { query, port: port2 }, { transfer: [port2] })
    .then(({ rows }) => rows);
  const settling = finished.then(() => undefined, queue.fail).finally(settled);
  const onAbort = () => queue.fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    for (let part = await queue.next(); part !== null; part = await queue.next()) {
      yield part;
      port1.postMessage('more');
    }
    await settling;
    return await finished;
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Tells the store that no further parts will be consumed.
    port1.close();
  }
}
