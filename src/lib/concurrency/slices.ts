import { setImmediate as turn } from 'node:timers/promises';

/**
 * Runs `steps` in slices of about `sliceMs` per turn of the event loop. Each step should be short.
 * Resolves to true at the end, or to false when the signal is aborted before. Rejects when a step
 * throws.
 */
export async function inSlices(
  steps: Iterator<unknown>,
  { sliceMs, signal }: { sliceMs: number; signal: AbortSignal },
): Promise<boolean> {
  let sliceStart = performance.now();
  while (steps.next().done !== true) {
    if (signal.aborted) {
      steps.return?.();
      return false;
    }
    if (performance.now() - sliceStart < sliceMs) continue;
    await turn();
    sliceStart = performance.now();
  }
  return true;
}

const defaultSliceMs = 5;

/**
 * Maps items like `Array.map`, but yields to the event loop every few milliseconds, so that other
 * requests are served meanwhile. The work for one item should be short.
 */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let sliceStart = performance.now();
  for (const item of items) {
    results.push(work(item));
    if (performance.now() - sliceStart < defaultSliceMs) continue;
    await turn();
    sliceStart = performance.now();
  }
  return results;
}
