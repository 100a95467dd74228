/**
 * Settles as `work` does, or as `onTimeout` returns or throws when `work` takes longer than `ms`.
 * The work itself is not stopped.
 */
export function withTimeout<Result, Late>(
  work: Promise<Result>,
  ms: number,
  onTimeout: () => Late,
): Promise<Awaited<Result | Late>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  }).then(onTimeout);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
