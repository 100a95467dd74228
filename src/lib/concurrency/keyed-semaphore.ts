interface Lane {
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
  const lanes = new Map<string, Lane>();

  return {
    /**
     * Starts the work now or when its turn comes; false, and it never starts, when too many wait
     * already.
     */
    enter(key: string, start: () => void): boolean {
      const lane = lanes.get(key);
      if (lane === undefined) lanes.set(key, { running: 1, waiting: [] });
      else if (lane.running < running) lane.running += 1;
      else if (lane.waiting.length < waiting) return lane.waiting.push(start) > 0;
      else return false;
      start();
      return true;
    },

    /**
     * Call it once for each piece of work that was started, when it is over. The next one starts
     * after pending I/O.
     */
    leave(key: string): void {
      const lane = lanes.get(key);
      if (lane === undefined) return;
      const next = lane.waiting.shift();
      if (next !== undefined) setImmediate(next);
      else if (lane.running > 1) lane.running -= 1;
      else lanes.delete(key);
    },

    /** Keys that have something running. */
    size: (): number => lanes.size,
  };
}
