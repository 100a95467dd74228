import { performance } from 'node:perf_hooks';

/** Measures how busy the event loop is: Node counts that anyway, so a reading costs nothing. */
export function createLoopMeter() {
  let before = performance.eventLoopUtilization();
  let percent = 0;
  return {
    /** Ends one interval and begins the next. */
    sample(): void {
      const now = performance.eventLoopUtilization();
      percent = Math.round(performance.eventLoopUtilization(now, before).utilization * 1000) / 10;
      before = now;
    },

    /** How much of the last interval the loop was busy, in percent. */
    percent: (): number => percent,
  };
}
