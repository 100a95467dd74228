import { expect, test } from 'vitest';
import { createEndOfTurn } from '../../../src/lib/concurrency/end-of-turn.ts';

test('calls in one turn share a promise for its end, and the next turn gets a new one', async () => {
  const endOfTurn = createEndOfTurn();
  const first = endOfTurn();
  expect(endOfTurn()).toBe(first);
  let ended = false;
  void first.then(() => (ended = true));
  await Promise.resolve();
  expect(ended).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(true);
  expect(endOfTurn()).not.toBe(first);
});
