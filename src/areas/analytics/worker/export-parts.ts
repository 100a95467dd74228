import { on } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { ExportStoreQuery } from '../store/queries.ts';
import type { EventThread } from './event-thread.ts';

export interface ExportOptions {
  /** Aborting cancels the export. */
  signal: AbortSignal;
  /** Called when the store has stopped working on the export. */
  settled: () => void;
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
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);
  const finished = thread.ask('export', { query, port: port2 }, { transfer: [port2] });
  const settling = finished.catch((error: unknown) => failed.abort(error)).finally(settled);
  try {
    for await (const [part] of on(port1, 'message', { signal: ended })) {
      // Null marks the end.
      if (!(part instanceof Uint8Array)) break;
      yield part;
      port1.postMessage('more');
    }
    await settling;
    return (await finished).rows;
  } catch (error) {
    ended.throwIfAborted();
    throw error;
  } finally {
    // Tells the store that no further parts will be consumed.
    port1.close();
  }
}
