import { describe, expect, it, vi } from 'vitest';
import { createBatcher } from '../../../src/platform/database/batcher.ts';
import { requestErrors } from '../../../src/platform/errors/errors.ts';

/** A store that can be paused and that rejects negative numbers. */
function doubling() {
  const batches: number[][] = [];
  let gate: Promise<void> = Promise.resolve();
  let open: () => void = () => undefined;
  const run = vi.fn(async (items: readonly number[]) => {
    batches.push([...items]);
    await gate;
    if (items.some((item) => item < 0)) throw new RangeError('negative');
    return items.map((item) => item * 2);
  });
  return {
    batches,
    run,
    hold: () => {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    release: () => open(),
  };
}

describe('batched items', () => {
  it('form one batch when added in one turn, and each gets its own result', async () => {
    const store = doubling();
    const { add } = createBatcher(store.run);
    expect(await Promise.all([add(1), add(2), add(3)])).toEqual([2, 4, 6]);
    expect(store.batches).toEqual([[1, 2, 3]]);
  });

  it('wait for a running batch, then run together up to the maximum', async () => {
    const store = doubling();
    const { add } = createBatcher(store.run, { maxItems: 2 });
    store.hold();
    const first = add(1);
    await vi.waitFor(() => expect(store.batches).toEqual([[1]]), { timeout: 10_000 });
    const others = [add(2), add(3), add(4)];
    expect(store.batches).toEqual([[1]]);
    store.release();
    expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8]);
    expect(store.batches).toEqual([[1], [2, 3], [4]]);
  });

  it('do not fail because of one bad item', async () => {
    const store = doubling();
    const { add } = createBatcher(store.run);
    const results = await Promise.allSettled([add(1), add(-1), add(3)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(store.batches).toEqual([[1, -1, 3], [1], [-1], [3]]);
  });

  it('all fail at once, without a retry, when the store is unavailable', async () => {
    const run = vi.fn(() => Promise.reject(requestErrors.unavailable()));
    const { add } = createBatcher(run);
    const results = await Promise.allSettled([add(1), add(2)]);
    expect(results).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('run after a failure', async () => {
    const store = doubling();
    const { add } = createBatcher(store.run);
    await expect(add(-1)).rejects.toThrow(RangeError);
    expect(await add(2)).toBe(4);
  });
});

describe('an item added with addLater', () => {
  it('runs with the next added item', async () => {
    const store = doubling();
    const { add, addLater } = createBatcher(store.run, { delayMs: 3_600_000 });
    const later = addLater(1);
    expect(await add(2)).toBe(4);
    expect(await later).toBe(2);
    expect(store.batches).toEqual([[1, 2]]);
  });

  it('runs after its delay', async () => {
    const store = doubling();
    const { addLater } = createBatcher(store.run, { delayMs: 1 });
    expect(await Promise.all([addLater(1), addLater(2)])).toEqual([2, 4]);
    expect(store.batches).toEqual([[1, 2]]);
  });

  it('is done once settled resolves, which runs nothing without items', async () => {
    const store = doubling();
    const { add, addLater, settled } = createBatcher(store.run, { delayMs: 3_600_000 });
    await settled();
    expect(store.run).not.toHaveBeenCalled();
    const later = addLater(1);
    await settled();
    expect(store.batches).toEqual([[1]]);
    expect(await later).toBe(2);
    expect(await add(5)).toBe(10);
  });
});
