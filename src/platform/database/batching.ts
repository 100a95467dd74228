import { AppError } from '../errors/errors.ts';

interface Pending<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

export interface BatchingOptions {
  /** Most items of one batch. Default: 200. */
  maxItems?: number;
  /** How long `addLater` waits for others, ms. Default: 20. */
  delayMs?: number;
}

/**
 * Settles a batch. When several items fail together, each is tried alone, so that one bad item does
 * not take the others with it. Only a store that is away (an AppError) fails them at once.
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
 * Collects items that are added in one turn of the event loop, or while others are under way, and
 * runs them as one batch, so that many callers share a round trip. `run` gives a result for each
 * item, in their order, and must do all or nothing.
 */
export function createBatching<Item, Result>(
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
    /** Settles as the item does. */
    add: (item: Item): Promise<Result> => {
      const done = enqueue(item);
      void start();
      return done;
    },

    /** As `add`, for what nobody waits for: it goes with the next item, or after `delayMs`. */
    addLater: (item: Item): Promise<Result> => {
      const done = enqueue(item);
      if (running === undefined) timer ??= setTimeout(() => void start(), delayMs);
      return done;
    },

    /** Resolves when everything that was added is done. */
    settled: async (): Promise<void> => start(),
  };
}
