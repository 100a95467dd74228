/** How many times the timer fires within one timeout. */
const checksPerTimeout = 10;

interface PendingTimeout {
  deadline: number;
  onTimeout: () => void;
}

/**
 * Returns a function that settles like the given promise, or rejects with `onTimeout()` after `ms`
 * plus at most a tenth. All promises share one timer: a timer each would cost more than executing
 * a small query.
 */
export function createSharedTimeout(ms: number, onTimeout: () => Error) {
  const pending = new Set<PendingTimeout>();
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
    const now = performance.now();
    for (const each of pending) {
      if (each.deadline > now) continue;
      pending.delete(each);
      each.onTimeout();
    }
    if (pending.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return <Result>(work: Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const each = { deadline: performance.now() + ms, onTimeout: () => reject(onTimeout()) };
      pending.add(each);
      timer ??= setInterval(check, ms / checksPerTimeout).unref();
      work.finally(() => pending.delete(each)).then(resolve, reject);
    });
}
