import { MessageChannel } from 'node:worker_threads';
import { toError } from '../../../lib/to-error.ts';
import type { ExportStoreQuery } from '../store/queries.ts';
import type { EventThread } from './event-thread.ts';

export interface ExportOptions {
  /** Ends the export before all of it was taken. */
  signal: AbortSignal;
  /** Called when the store has let go of the export. */
  settled: () => void;
}

/** Parts that arrived and were not taken yet; null marks the end. */
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
    /** The next part. Rejects with the first failure once no part is left. */
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
 * The parts of an export, at the pace they are taken, then the number of rows. Throws when the
 * store fails in between, and the reason of an aborted signal.
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
    // The store sees that nobody takes the rest.
    port1.close();
  }
}
