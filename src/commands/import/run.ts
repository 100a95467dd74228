import type { Batch } from './batches.ts';

const maxInFlight = 4;

export interface Outcome {
  /** The first line that may not be stored yet; undefined if every batch was answered. */
  resumeFrom: number | undefined;
  /** Why it failed; undefined if it was complete or stopped. */
  error: Error | undefined;
}

const asError = (cause: unknown) => (cause instanceof Error ? cause : new Error(String(cause)));

/** Keeps track of the batches being sent and those that failed. */
function createFlight(send: (batch: Batch) => Promise<void>) {
  const inFlight = new Set<Promise<void>>();
  const unsent: Batch[] = [];
  const errors: Error[] = [];

  async function track(batch: Batch): Promise<void> {
    try {
      await send(batch);
    } catch (cause) {
      errors.push(asError(cause));
      unsent.push(batch);
    }
  }

  return {
    unsent,
    errors,
    start(batch: Batch): void {
      const work = track(batch).finally(() => inFlight.delete(work));
      inFlight.add(work);
    },
    /** Resolves once fewer than `limit` batches are in flight. */
    async waitForSlot(limit: number): Promise<void> {
      while (inFlight.size >= limit) await Promise.race(inFlight);
    },
  };
}

/**
 * Sends batches, four at a time (the first alone), until none is left, `stop` is aborted or one
 * fails permanently. Always waits for the requests in flight.
 */
export async function sendAll(
  batches: AsyncGenerator<Batch>,
  send: (batch: Batch) => Promise<void>,
  stop: AbortSignal,
): Promise<Outcome> {
  const flight = createFlight(send);
  const { unsent, errors } = flight;
  let limit = 1;
  try {
    for await (const batch of batches) {
      if (stop.aborted || errors.length > 0) {
        unsent.push(batch);
        break;
      }
      flight.start(batch);
      await flight.waitForSlot(limit);
      limit = maxInFlight;
    }
  } catch (cause) {
    errors.push(asError(cause));
  }
  await flight.waitForSlot(1);
  return { resumeFrom: firstLine(unsent), error: stop.aborted ? undefined : errors[0] };
}

function firstLine(batches: readonly Batch[]): number | undefined {
  const lines = batches.map(({ lines: [line] }) => line ?? 1);
  return lines.length === 0 ? undefined : Math.min(...lines);
}
