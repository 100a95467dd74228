interface Slots {
  running: number;
  waiting: (() => void)[];
}

export interface KeyedSemaphoreLimits {
  /** Maximum number of tasks of one key that run concurrently. */
  running: number;
  /** Maximum number of queued tasks of one key. */
  waiting: number;
}

/**
 * Limits the number of concurrent tasks for each key. Further tasks of the key are queued in order,
 * and keys do not block one another. A key without running tasks takes no memory.
 */
export function createKeyedSemaphore({ running, waiting }: KeyedSemaphoreLimits) {
  const keys = new Map<string, Slots>();

  return {
    /**
     * Starts the task now or queues it. Returns false, and never starts it, when the queue is full.
     */
    acquire(key: string, start: () => void): boolean {
      const slots = keys.get(key);
      if (slots === undefined) keys.set(key, { running: 1, waiting: [] });
      else if (slots.running < running) slots.running += 1;
      else if (slots.waiting.length < waiting) return slots.waiting.push(start) > 0;
      else return false;
      start();
      return true;
    },

    /**
     * Call it once for each finished task. Its place is free after pending I/O: otherwise tasks
     * that end at once would never count as running, and all that arrive together would run in one
     * turn of the event loop.
     */
    release(key: string): void {
      setImmediate(() => {
        const slots = keys.get(key);
        const next = slots?.waiting.shift();
        if (next !== undefined) next();
        else if (slots !== undefined && slots.running > 1) slots.running -= 1;
        else keys.delete(key);
      });
    },

    /** Number of keys with running tasks. */
    size: (): number => keys.size,
  };
}
