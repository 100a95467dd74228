/** Aborts with `outer`, or when its time is up. `stop` must be called at the end. */
export function createDeadline(outer: AbortSignal) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const follow = () => controller.abort(outer.reason);
  if (outer.aborted) follow();
  else outer.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    /** Aborts with the reason after this time, which replaces the one set before. */
    set(ms: number, reason: () => Error): void {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(reason()), ms);
    },
    pause: (): void => clearTimeout(timer),
    stop(): void {
      clearTimeout(timer);
      outer.removeEventListener('abort', follow);
    },
  };
}

export type Deadline = ReturnType<typeof createDeadline>;

/** Rejects with the reason of the signal when that comes before the work is done. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const end = () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('given up'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
