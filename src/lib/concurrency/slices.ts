import { setImmediate as turn } from 'node:timers/promises';

/**
 * Works through `steps`, about `sliceMs` of them in one turn of the event loop: each step is to be
 * short. Resolves to true at the end, and to false when it was told to stop before. Rejects with
 * what a step throws.
 */
export async function inSlices(
  steps: Iterator<unknown>,
  { sliceMs, signal }: { sliceMs: number; signal: AbortSignal },
): Promise<boolean> {
  let began = performance.now();
  while (steps.next().done !== true) {
    if (signal.aborted) {
      steps.return?.();
      return false;
    }
    if (performance.now() - began < sliceMs) continue;
    await turn();
    began = performance.now();
  }
  return true;
}

const defaultSliceMs = 5;

/**
 * What `work` gives for each item, in their order. After every few milliseconds of work the event
 * loop gets a turn, so that others are answered meanwhile; the work of one item is to be short.
 */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let began = performance.now();
  for (const item of items) {
    results.push(work(item));
    if (performance.now() - began < defaultSliceMs) continue;
    await turn();
    began = performance.now();
  }
  return results;
}
