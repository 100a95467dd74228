import { describe, expect, it } from 'vitest';
import { createTurnstile } from '../../../src/lib/concurrency/semaphore.ts';

describe('a turnstile', () => {
  it('lets as many through as it may, the others in their order, and goes on after a failure', async () => {
    const turn = createTurnstile(3);
    const begun: number[] = [];
    let [inside, most] = [0, 0];
    const work = (at: number) =>
      turn(async () => {
        begun.push(at);
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        if (at % 4 === 0) throw new RangeError('refused');
        return at;
      });
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => work(at)));
    expect([most, inside]).toEqual([3, 0]);
    expect(begun).toEqual(Array.from({ length: 20 }, (_, at) => at));
    expect(results.map(({ status }) => status === 'rejected')).toEqual(
      begun.map((at) => at % 4 === 0),
    );
    expect(await work(21)).toBe(21);
  });
});
