/** How exactly the time is kept, in parts of the whole. */
const parts = 10;

interface Waiting {
  until: number;
  giveUp: () => void;
}

/**
 * Makes a function that settles as the work does, or rejects with `onTimeout()` after `ms`, or up
 * to a tenth more. One shared timer: one for each costs more than a small answer.
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
