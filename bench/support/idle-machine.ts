import { setTimeout as delay } from 'node:timers/promises';
import { watchMachine } from './processes.ts';

/** Cores that other programs may use during a measurement. */
const maxOtherCores = 0.3;
const sampleMs = 1000;
const maxTries = 4;

/**
 * Delays measurements while other programs use the machine, for up to `seconds` in total. After
 * that they run at once.
 */
export function createIdleGate(seconds: number) {
  let left = seconds * 1000;

  /** Resolves after a second in which the machine was nearly idle, or when the time is used up. */
  async function waitUntilIdle(): Promise<void> {
    while (left > 0) {
      const [cores, began] = [watchMachine(), performance.now()];
      await delay(sampleMs);
      left -= performance.now() - began;
      if (cores() < maxOtherCores) return;
    }
  }

  return {
    waitUntilIdle,

    /**
     * Measures on an idle machine. Repeats a disturbed measurement up to three times while there is
     * time left. Returns the least disturbed one.
     */
    async measureUndisturbed<T extends { otherCores: number }>(
      measure: () => Promise<T>,
    ): Promise<T> {
      await waitUntilIdle();
      let best = await measure();
      for (
        let tries = 1;
        tries < maxTries && best.otherCores > maxOtherCores && left > 0;
        tries += 1
      ) {
        const began = performance.now();
        await waitUntilIdle();
        const next = await measure();
        left -= performance.now() - began;
        if (next.otherCores < best.otherCores) best = next;
      }
      return best;
    },
  };
}
