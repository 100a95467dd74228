import { setImmediate as turn } from 'node:timers/promises';

/**
 * Works through `steps`, about `sliceMs` of them in one turn of the event loop: each step is to be short. Resolves to true at
 * the end, and to false when it was told to stop before. Rejects with what a step throws.
 */
export async function inSlices(steps: Iterator<unknown>, { sliceMs, signal }: { sliceMs: number; signal: AbortSignal }): Promise<boolean> {
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
