/** How many times the timer fires within one timeout. */
const parts = 10;

interface Waiting {
  until: number;
  giveUp: () => void;
}

/**
 * Returns a function that settles like the given promise, or rejects with `onTimeout()` after `ms`
 * plus at most a tenth. All promises share one timer: a timer each would cost more than executing
 * a small query.
 */
export function createSharedTimeout(ms: number, onTimeout: () => Error) {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const now = performance.now();
    for (const each of waiting) {
      if (each.until > now) continue;
      waiting.delete(each);
      each.giveUp();
    }
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return <Result>(work: Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const each = { until: performance.now() + ms, giveUp: () => reject(onTimeout()) };
      waiting.add(each);
      timer ??= setInterval(check, ms / parts).unref();
      work.finally(() => waiting.delete(each)).then(resolve, reject);
    });
}
