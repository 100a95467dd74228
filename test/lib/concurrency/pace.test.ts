import { expect, it } from 'vitest';
import { createPace } from '../../../src/lib/concurrency/pace.ts';

/** Keeps the event loop busy for this many milliseconds. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function turnsDuring(run: () => Promise<void>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  await run();
  clearInterval(timer);
  return turns;
}

it('lets the event loop turn between steps that fill the processor', async () => {
  const pace = createPace(5);
  const turns = await turnsDuring(async () => {
    for (let step = 0; step < 8; step += 1) {
      await pace();
      work(6);
    }
  });
  expect(turns).toBeGreaterThanOrEqual(3);
});

it('does not wait between steps that take no time', async () => {
  const pace = createPace(1000);
  const turns = await turnsDuring(async () => {
    for (let step = 0; step < 100; step += 1) await pace();
  });
  expect(turns).toBe(0);
});
