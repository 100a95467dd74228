import { describe, expect, it, vi } from 'vitest';
import { createKeyedSemaphore } from '../../../src/lib/concurrency/keyed-semaphore.ts';

describe('lanes', () => {
  it('limit the work of one key that runs at a time, and keep its order', async () => {
    const lanes = createKeyedSemaphore({ running: 2, waiting: 10 });
    const begun: number[] = [];
    for (const at of [1, 2, 3, 4, 5]) expect(lanes.enter('a', () => begun.push(at))).toBe(true);
    expect(begun).toEqual([1, 2]);
    lanes.leave('a');
    await vi.waitFor(() => expect(begun).toEqual([1, 2, 3]));
    lanes.leave('a');
    lanes.leave('a');
    await vi.waitFor(() => expect(begun).toEqual([1, 2, 3, 4, 5]));
  });

  it('let one key pass while another one is full', () => {
    const lanes = createKeyedSemaphore({ running: 1, waiting: 1 });
    const begun: string[] = [];
    expect(lanes.enter('a', () => begun.push('a1'))).toBe(true);
    expect(lanes.enter('a', () => begun.push('a2'))).toBe(true);
    expect(lanes.enter('a', () => begun.push('a3'))).toBe(false);
    expect(lanes.enter('b', () => begun.push('b1'))).toBe(true);
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('forget a key when its last piece of work is over', async () => {
    const lanes = createKeyedSemaphore({ running: 1, waiting: 5 });
    const begun: string[] = [];
    lanes.enter('a', () => begun.push('first'));
    lanes.enter('a', () => begun.push('second'));
    lanes.leave('a');
    await vi.waitFor(() => expect(begun).toEqual(['first', 'second']));
    expect(lanes.size()).toBe(1);
    lanes.leave('a');
    lanes.leave('a');
    expect(lanes.size()).toBe(0);
  });
});
