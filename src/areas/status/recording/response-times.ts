import { hourMs } from '../../../lib/durations.ts';
import type { ResponseTime } from '../history/span-store.ts';

/** Sums response times by component and hour, until `take` removes the sums to store them. */
export function createResponseTimes() {
  let sums = new Map<string, ResponseTime>();

  function addSum({ componentId, hour, count, sumMs }: ResponseTime): void {
    const key = `${componentId} ${hour}`;
    const before = sums.get(key) ?? { count: 0, sumMs: 0 };
    sums.set(key, {
      componentId,
      hour,
      count: before.count + count,
      sumMs: before.sumMs + sumMs,
    });
  }

  return {
    /** Adds a response at `at` (Unix ms) that took `ms`. */
    add: (componentId: string, at: number, ms: number): void =>
      addSum({ componentId, hour: Math.floor(at / hourMs) * hourMs, count: 1, sumMs: ms }),

    /** Returns and removes the sums since the last call. */
    take: (): ResponseTime[] => {
      const taken = [...sums.values()];
      sums = new Map();
      return taken;
    },

    /** Restores sums that could not be stored. */
    putBack: (taken: readonly ResponseTime[]): void => taken.forEach(addSum),

    clear: (): void => sums.clear(),
  };
}
