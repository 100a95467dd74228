import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../src/lib/concurrency/one-at-a-time.ts';

/** Work whose runs the test settles. */
function setUp() {
  const open: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let runs = 0;
  const run = oneAtATime(() => {
    runs += 1;
    return new Promise<void>((resolve, reject) => open.push({ resolve, reject }));
  });
  return { run, open, runs: () => runs };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('oneAtATime', () => {
  it('runs once more, after the current run, for all calls made during it', async () => {
    const { run, open, runs } = setUp();
    const subject = {};
    const all = Promise.all([run(subject), run(subject), run(subject)]);
    expect(runs()).toBe(1);
    open[0]?.resolve();
    await turn();
    expect(runs()).toBe(2);
    open[1]?.resolve();
    await all;
    await turn();
    expect(runs()).toBe(2);
  });

  it('runs different subjects concurrently', () => {
    const { run, runs } = setUp();
    void run({});
    void run({});
    expect(runs()).toBe(2);
  });

  it('runs again after a call during a failing run, and rejects with the last error', async () => {
    const { run, open, runs } = setUp();
    const subject = {};
    const first = run(subject);
    void run(subject).catch(() => undefined);
    open[0]?.reject(new Error('the first'));
    await turn();
    expect(runs()).toBe(2);
    open[1]?.reject(new Error('the last'));
    await expect(first).rejects.toThrow('the last');
    void run(subject);
    expect(runs()).toBe(3);
  });
});
