import type { Batch } from './batches.ts';

const inFlight = 4;

export interface Outcome {
  /** The first line that may not be stored yet; undefined when all was sent and answered. */
  resumeFrom: number | undefined;
  /** Why it ended early; undefined when it was asked to, or did not. */
  error: Error | undefined;
}

const asError = (cause: unknown) => (cause instanceof Error ? cause : new Error(String(cause)));

/** The batches that are being sent, and those that failed. */
function createFlight(send: (batch: Batch) => Promise<void>) {
  const underWay = new Set<Promise<void>>();
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
      const work = track(batch).finally(() => underWay.delete(work));
      underWay.add(work);
    },
    /** Waits until fewer than `limit` are under way. */
    async room(limit: number): Promise<void> {
      while (underWay.size >= limit) await Promise.race(underWay);
    },
  };
}

/**
 * Sends batches, four at a time (the first alone), until they end, `stop` is aborted or one fails
 * for good. Requests under way are waited for in every case.
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
      await flight.room(limit);
      limit = inFlight;
    }
  } catch (cause) {
    errors.push(asError(cause));
  }
  await flight.room(1);
  return { resumeFrom: firstLine(unsent), error: stop.aborted ? undefined : errors[0] };
}

function firstLine(batches: readonly Batch[]): number | undefined {
  const lines = batches.map(({ lines: [line] }) => line ?? 1);
  return lines.length === 0 ? undefined : Math.min(...lines);
}
