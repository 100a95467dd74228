import { expect, it } from 'vitest';
import { mapInSlices } from '../../../src/lib/concurrency/slices.ts';

/** Keeps the event loop busy for this many milliseconds. */
function work(ms: number): number {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return ms;
}

it('returns a result for each item in order, and yields to the event loop in between', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const results = await mapInSlices([6, 7, 8, 9], work);
  clearInterval(timer);
  expect(results).toEqual([6, 7, 8, 9]);
  expect(turns).toBeGreaterThanOrEqual(3);
});

it('does not yield between items that take no time', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  await mapInSlices(
    Array.from({ length: 100 }, (_, at) => at),
    String,
  );
  clearInterval(timer);
  expect(turns).toBe(0);
});

it('rejects with the error that the work throws', async () => {
  const fail = () => {
    throw new Error('no');
  };
  await expect(mapInSlices([1], fail)).rejects.toThrow('no');
});
