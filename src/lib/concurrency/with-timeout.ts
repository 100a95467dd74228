/**
 * Settles with `work`, or with what `onTimeout` returns or throws when `work` takes longer than
 * `ms`. Does not stop the work.
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
