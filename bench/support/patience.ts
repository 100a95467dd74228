import { setTimeout as delay } from 'node:timers/promises';
import { watchMachine } from './processes.ts';

/** Cores that others may take while something is measured. */
const mostOthers = 0.3;
const lookMs = 1000;
const mostTries = 4;

/**
 * Waits for a machine on which nothing else runs, for `seconds` in all: then what is measured is
 * taken as it comes.
 */
export function createPatience(seconds: number) {
  let left = seconds * 1000;

  /** Resolves after a second in which next to nothing ran. */
  async function calm(): Promise<void> {
    while (left > 0) {
      const [cores, began] = [watchMachine(), performance.now()];
      await delay(lookMs);
      left -= performance.now() - began;
      if (cores() < mostOthers) return;
    }
  }

  return {
    calm,

    /**
     * Measures on a calm machine; again when it was not, as often as there is patience left. Gives
     * the least disturbed.
     */
    async undisturbed<T extends { otherCores: number }>(measure: () => Promise<T>): Promise<T> {
      await calm();
      let best = await measure();
      for (
        let tries = 1;
        tries < mostTries && best.otherCores > mostOthers && left > 0;
        tries += 1
      ) {
        const began = performance.now();
        await calm();
        const next = await measure();
        left -= performance.now() - began;
        if (next.otherCores < best.otherCores) best = next;
      }
      return best;
    },
  };
}
