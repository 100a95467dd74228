/** Creates a signal that aborts with `outer`, or at a deadline. Call `stop` when done. */
export function createDeadline(outer: AbortSignal) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const follow = () => controller.abort(outer.reason);
  if (outer.aborted) follow();
  else outer.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    /** Sets the deadline, replacing any earlier one. `reason` creates the abort reason. */
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

/** Resolves with the work, or rejects with the abort reason if the signal aborts first. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const end = () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('given up'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
