import { performance } from 'node:perf_hooks';

/** Measures how busy the event loop is. Sample it every `intervalMs`. */
export function createLoopMeter(intervalMs: number) {
  let before = performance.eventLoopUtilization();
  let sampledAt: number | undefined;
  let percent = 0;
  let lateMs = 0;
  return {
    /** Ends one interval and begins the next. */
    sample(): void {
      const now = performance.eventLoopUtilization();
      percent = Math.round(performance.eventLoopUtilization(now, before).utilization * 1000) / 10;
      before = now;
      const at = performance.now();
      // The first interval is that of the start, which is busy and not yet listening.
      lateMs = sampledAt === undefined ? 0 : Math.max(0, Math.round(at - sampledAt - intervalMs));
      sampledAt = at;
    },

    /** How much of the last interval the loop was busy, in percent. */
    percent: (): number => percent,

    /** How late the last sample was, in ms: at least one turn of the loop took so long. */
    lateMs: (): number => lateMs,
  };
}
