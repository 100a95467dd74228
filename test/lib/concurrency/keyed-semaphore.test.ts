import { describe, expect, it, vi } from 'vitest';
import { createKeyedSemaphore } from '../../../src/lib/concurrency/keyed-semaphore.ts';

describe('a keyed semaphore', () => {
  it('limits the concurrent tasks of a key and keeps their order', async () => {
    const semaphore = createKeyedSemaphore({ running: 2, waiting: 10 });
    const started: number[] = [];
    for (const at of [1, 2, 3, 4, 5])
      expect(semaphore.acquire('a', () => started.push(at))).toBe(true);
    expect(started).toEqual([1, 2]);
    semaphore.release('a');
    await vi.waitFor(() => expect(started).toEqual([1, 2, 3]));
    semaphore.release('a');
    semaphore.release('a');
    await vi.waitFor(() => expect(started).toEqual([1, 2, 3, 4, 5]));
  });

  it('admits tasks of one key while another key is full', () => {
    const semaphore = createKeyedSemaphore({ running: 1, waiting: 1 });
    const started: string[] = [];
    expect(semaphore.acquire('a', () => started.push('a1'))).toBe(true);
    expect(semaphore.acquire('a', () => started.push('a2'))).toBe(true);
    expect(semaphore.acquire('a', () => started.push('a3'))).toBe(false);
    expect(semaphore.acquire('b', () => started.push('b1'))).toBe(true);
    expect(started).toEqual(['a1', 'b1']);
  });

  it('forgets a key when its last task ends', async () => {
    const semaphore = createKeyedSemaphore({ running: 1, waiting: 5 });
    const started: string[] = [];
    semaphore.acquire('a', () => started.push('first'));
    semaphore.acquire('a', () => started.push('second'));
    semaphore.release('a');
    await vi.waitFor(() => expect(started).toEqual(['first', 'second']));
    expect(semaphore.size()).toBe(1);
    semaphore.release('a');
    semaphore.release('a');
    await vi.waitFor(() => expect(semaphore.size()).toBe(0));
  });

  it('starts few tasks in one turn of the event loop, even if they end at once', async () => {
    const semaphore = createKeyedSemaphore({ running: 2, waiting: 10 });
    const started: number[] = [];
    for (let at = 0; at < 10; at += 1)
      semaphore.acquire('a', () => {
        started.push(at);
        semaphore.release('a');
      });
    expect(started).toEqual([0, 1]);
    await vi.waitFor(() => expect(started).toHaveLength(10));
  });
});
