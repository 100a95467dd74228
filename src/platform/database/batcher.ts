import { AppError } from '../errors/errors.ts';

interface Pending<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

export interface BatchingOptions {
  /** Maximum number of items in a batch. Default: 200. */
  maxItems?: number;
  /** Milliseconds that `addLater` waits for more items. Default: 20. */
  delayMs?: number;
}

/**
 * Runs a batch and settles its items. When a batch of several items fails, each item is retried
 * alone, so that one bad item does not fail the others. An unavailable store (an AppError) fails
 * all of them at once.
 */
async function settle<Item, Result>(
  batch: readonly Pending<Item, Result>[],
  run: RunBatch<Item, Result>,
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    for (const [at, { resolve, reject }] of batch.entries()) {
      if (at in results) resolve(results[at] as Result);
      else reject(new Error('a batch gave too few results'));
    }
  } catch (error) {
    if (batch.length === 1 || error instanceof AppError)
      batch.forEach(({ reject }) => reject(error));
    else for (const one of batch) await settle([one], run);
  }
}

/**
 * Collects items that are added in one turn of the event loop, or while a batch is running, and
 * runs them as one batch, so that many callers share a round trip. `run` returns one result for
 * each item, in the same order, and must be atomic.
 */
export function createBatcher<Item, Result>(
  run: RunBatch<Item, Result>,
  { maxItems = 200, delayMs = 20 }: BatchingOptions = {},
) {
  let pending: Pending<Item, Result>[] = [];
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function runAll(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve));
      clearTimeout(timer);
      timer = undefined;
      const batch = pending.slice(0, maxItems);
      pending = pending.slice(maxItems);
      if (batch.length > 0) await settle(batch, run);
    } while (pending.length > 0);
    running = undefined;
  }

  const start = () => (running ??= runAll());
  const enqueue = (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      pending.push({ item, resolve, reject });
    });

  return {
    /** Adds an item. Settles with its result. */
    add: (item: Item): Promise<Result> => {
      const done = enqueue(item);
      void start();
      return done;
    },

    /** Like `add`, for callers that do not wait: runs with the next item, or after `delayMs`. */
    addLater: (item: Item): Promise<Result> => {
      const done = enqueue(item);
      if (running === undefined) timer ??= setTimeout(() => void start(), delayMs);
      return done;
    },

    /** Resolves when all items added so far are settled. */
    settled: async (): Promise<void> => start(),
  };
}
