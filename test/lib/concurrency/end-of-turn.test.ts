import { expect, test } from 'vitest';
import { createEndOfTurn } from '../../../src/lib/concurrency/end-of-turn.ts';

test('calls in one turn share the promise of its end; the next turn has its own', async () => {
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
