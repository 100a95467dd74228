import type { Locator } from 'playwright-core';

export interface ClickCounter {
  (what: Locator): Promise<void>;
  /** Clicks so far. */
  count: () => number;
}

/** Clicks that are counted: how many a task takes is a promise of its own. */
export function countClicks(): ClickCounter {
  let count = 0;
  const click = async (what: Locator): Promise<void> => {
    count += 1;
    await what.click();
  };
  return Object.assign(click, { count: () => count });
}
