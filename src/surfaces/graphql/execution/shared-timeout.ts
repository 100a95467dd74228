/** How exactly the time is looked at, in parts of the whole. */
const parts = 10;

interface Waiting {
  until: number;
  giveUp: () => void;
}

/** Gives work up that takes longer than `ms`. One timer for all: one for each would cost more than a small answer does. */
export function createPatience(ms: number, failure: () => Error) {
  const all = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const now = performance.now();
    for (const each of all) if (each.until <= now) each.giveUp();
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** The same work; rejects with the failure when it takes too long, and at most a tenth more. */
    with: <T>(work: Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const waiting: Waiting = {
          until: performance.now() + ms,
          giveUp() {
            all.delete(waiting);
            reject(failure());
          },
        };
        all.add(waiting);
        timer ??= setInterval(look, ms / parts).unref();
        work.then(
          (value) => {
            all.delete(waiting);
            resolve(value);
          },
          (error: unknown) => {
            all.delete(waiting);
            reject(error instanceof Error ? error : new Error(String(error)));
          },
        );
      }),
  };
}
