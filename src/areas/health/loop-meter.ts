import { performance } from 'node:perf_hooks';

/** Measures utilization and delay of the event loop. Call `sample` every `intervalMs`. */
export function createLoopMeter(intervalMs: number) {
  let before = performance.eventLoopUtilization();
  let sampledAt: number | undefined;
  let percent = 0;
  let lateMs = 0;
  return {
    /** Ends the current interval and begins the next. */
    sample(): void {
      const now = performance.eventLoopUtilization();
      percent = Math.round(performance.eventLoopUtilization(now, before).utilization * 1000) / 10;
      before = now;
      const at = performance.now();
      // The first interval covers the start-up, which is busy before the service listens.
      lateMs = sampledAt === undefined ? 0 : Math.max(0, Math.round(at - sampledAt - intervalMs));
      sampledAt = at;
    },

    /** Utilization of the loop in the last interval, in percent. */
    percent: (): number => percent,

    /** How late the last sample was, in ms: the loop was blocked for at least that long. */
    lateMs: (): number => lateMs,
  };
}
