import type { SourceRow } from './event.ts';

/** Events for one request. */
export interface Batch {
  /** The events as JSON, and the source line of each. */
  events: string[];
  lines: number[];
}

export interface BatchLimits {
  events: number;
  /** Bytes of the JSON. */
  bytes: number;
}

/** The service's limits for requests with an API key, less a margin. */
export const keyedLimits: BatchLimits = { events: 2000, bytes: 9 * 1024 * 1024 };

/** Receives the rows that do not become events. */
export interface RowWatcher {
  mistake: (line: number, reason: string) => void;
  skipped: () => void;
}

/** Yields the rows before a failure and reports it, so that those rows can still be sent. */
async function* untilFailure(
  rows: AsyncIterable<SourceRow>,
  onFailure: (error: Error) => void,
): AsyncGenerator<SourceRow> {
  try {
    yield* rows;
  } catch (error) {
    onFailure(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Groups rows into batches. The first has one event, in case the API key is wrong. */
export async function* makeBatches(
  rows: AsyncIterable<SourceRow>,
  watcher: RowWatcher,
  limits: BatchLimits,
): AsyncGenerator<Batch> {
  let batch: Batch = { events: [], lines: [] };
  let bytes = 0;
  let maxEvents = 1;
  let failure: Error | undefined;
  const reading = untilFailure(rows, (error) => (failure = error));
  for await (const { line, mapped } of reading) {
    if ('mistake' in mapped) watcher.mistake(line, mapped.mistake);
    else if ('skipped' in mapped) watcher.skipped();
    else {
      const text = JSON.stringify(mapped.event);
      const size = Buffer.byteLength(text) + 1;
      if (
        batch.events.length > 0 &&
        (batch.events.length === maxEvents || bytes + size > limits.bytes)
      ) {
        yield batch;
        batch = { events: [], lines: [] };
        bytes = 0;
        maxEvents = limits.events;
      }
      batch.events.push(text);
      batch.lines.push(line);
      bytes += size;
    }
  }
  if (batch.events.length > 0) yield batch;
  if (failure !== undefined) throw failure;
}
