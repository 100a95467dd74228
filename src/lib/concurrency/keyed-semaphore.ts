interface Slots {
  running: number;
  waiting: (() => void)[];
}

export interface KeyedSemaphoreLimits {
  /** Pieces of work of one key that run at the same time. */
  running: number;
  /** How many more may wait for their turn. */
  waiting: number;
}

/**
 * Lets a limited number of pieces of work run at the same time for each key; the others of that key
 * wait in the order they came, and keys do not wait for one another. A key that has nothing running
 * takes no memory.
 */
export function createKeyedSemaphore({ running, waiting }: KeyedSemaphoreLimits) {
  const keys = new Map<string, Slots>();

  return {
    /** Starts the work now or at its turn. False, and it never starts, when too many wait. */
    acquire(key: string, start: () => void): boolean {
      const slots = keys.get(key);
      if (slots === undefined) keys.set(key, { running: 1, waiting: [] });
      else if (slots.running < running) slots.running += 1;
      else if (slots.waiting.length < waiting) return slots.waiting.push(start) > 0;
      else return false;
      start();
      return true;
    },

    /** Call it once for each work that ends. The next one starts after pending I/O. */
    release(key: string): void {
      const slots = keys.get(key);
      if (slots === undefined) return;
      const next = slots.waiting.shift();
      if (next !== undefined) setImmediate(next);
      else if (slots.running > 1) slots.running -= 1;
      else keys.delete(key);
    },

    /** Keys that have something running. */
    size: (): number => keys.size,
  };
}
