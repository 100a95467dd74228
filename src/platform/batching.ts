import { AppError } from './errors/errors.ts';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatchingOptions {
  /** Items that go together at most. */
  most?: number;
  /** How long `addLater` waits for company, ms. */
  patienceMs?: number;
}

/**
 * Hands on items together: those that come in one turn of the event loop, or while others are under
 * way. So many callers share a round trip, and one alone waits for nobody. `run` gives a result for
 * each item, in their order. When several fail together, each is tried alone, so that one that
 * can't be done does not take the others with it: `run` must do all or nothing. Only a store that
 * is away (an AppError) fails them at once.
 */
export function createBatching<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most = 200, patienceMs = 20 }: BatchingOptions = {},
) {
  let waiting: Waiting<Item, Result>[] = [];
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [at, { resolve, reject }] of batch.entries()) {
        if (at in results) resolve(results[at] as Result);
        else reject(new Error('a batch gave too few results'));
      }
    } catch (error) {
      if (batch.length === 1 || error instanceof AppError)
        batch.forEach(({ reject }) => reject(error));
      else for (const one of batch) await settle([one]);
    }
  }

  async function runAll(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve));
      clearTimeout(timer);
      timer = undefined;
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      if (batch.length > 0) await settle(batch);
    } while (waiting.length > 0);
    running = undefined;
  }

  const start = () => (running ??= runAll());
  const enqueue = (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
    });

  return {
    /** Settles as the item does. */
    add: (item: Item): Promise<Result> => {
      const done = enqueue(item);
      void start();
      return done;
    },

    /**
     * As `add`, for what nobody waits for: it goes with the next one that is added, or when its
     * patience ends.
     */
    addLater: (item: Item): Promise<Result> => {
      const done = enqueue(item);
      if (running === undefined) timer ??= setTimeout(() => void start(), patienceMs);
      return done;
    },

    /** Resolves when everything that was added is done. */
    settled: async (): Promise<void> => {
      await start();
    },
  };
}
