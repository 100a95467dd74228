import { describe, expect, it, vi } from 'vitest';
import { createKeyedSemaphore } from '../../../src/lib/concurrency/keyed-semaphore.ts';

describe('a keyed semaphore', () => {
  it('limits the work of one key that runs at a time, and keeps its order', async () => {
    const semaphore = createKeyedSemaphore({ running: 2, waiting: 10 });
    const begun: number[] = [];
    for (const at of [1, 2, 3, 4, 5])
      expect(semaphore.acquire('a', () => begun.push(at))).toBe(true);
    expect(begun).toEqual([1, 2]);
    semaphore.release('a');
    await vi.waitFor(() => expect(begun).toEqual([1, 2, 3]));
    semaphore.release('a');
    semaphore.release('a');
    await vi.waitFor(() => expect(begun).toEqual([1, 2, 3, 4, 5]));
  });

  it('lets one key pass while another one is full', () => {
    const semaphore = createKeyedSemaphore({ running: 1, waiting: 1 });
    const begun: string[] = [];
    expect(semaphore.acquire('a', () => begun.push('a1'))).toBe(true);
    expect(semaphore.acquire('a', () => begun.push('a2'))).toBe(true);
    expect(semaphore.acquire('a', () => begun.push('a3'))).toBe(false);
    expect(semaphore.acquire('b', () => begun.push('b1'))).toBe(true);
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('forgets a key when its last piece of work is over', async () => {
    const semaphore = createKeyedSemaphore({ running: 1, waiting: 5 });
    const begun: string[] = [];
    semaphore.acquire('a', () => begun.push('first'));
    semaphore.acquire('a', () => begun.push('second'));
    semaphore.release('a');
    await vi.waitFor(() => expect(begun).toEqual(['first', 'second']));
    expect(semaphore.size()).toBe(1);
    semaphore.release('a');
    semaphore.release('a');
    expect(semaphore.size()).toBe(0);
  });
});
