import { setImmediate as turn } from 'node:timers/promises';

/**
 * Returns a function for one task to await before each of its steps: once `sliceMs` milliseconds
 * have passed since the last time, it lets the event loop turn, so that other requests are served
 * meanwhile. Awaiting alone doesn't do that: steps that never wait for input or output would keep
 * the loop for themselves.
 */
export function createPace(sliceMs: number): () => Promise<void> {
  let sliceStart = performance.now();
  return async () => {
    if (performance.now() - sliceStart < sliceMs) return;
    await turn();
    sliceStart = performance.now();
  };
}
