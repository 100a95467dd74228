import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../src/lib/concurrency/one-at-a-time.ts';

/** Work whose runs the test ends itself. */
function watched() {
  const open: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let begun = 0;
  const run = oneAtATime(() => {
    begun += 1;
    return new Promise<void>((resolve, reject) => open.push({ resolve, reject }));
  });
  return { run, open, begun: () => begun };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('work that runs one at a time', () => {
  it('runs once more for all calls that came during a run, and not beside it', async () => {
    const { run, open, begun } = watched();
    const subject = {};
    const all = Promise.all([run(subject), run(subject), run(subject)]);
    expect(begun()).toBe(1);
    open[0]?.resolve();
    await turn();
    expect(begun()).toBe(2);
    open[1]?.resolve();
    await all;
    await turn();
    expect(begun()).toBe(2);
  });

  it('runs beside that of another subject', () => {
    const { run, begun } = watched();
    void run({});
    void run({});
    expect(begun()).toBe(2);
  });

  it('runs again when asked during a failing run, and rejects with the last error', async () => {
    const { run, open, begun } = watched();
    const subject = {};
    const first = run(subject);
    void run(subject).catch(() => undefined);
    open[0]?.reject(new Error('the first'));
    await turn();
    expect(begun()).toBe(2);
    open[1]?.reject(new Error('the last'));
    await expect(first).rejects.toThrow('the last');
    void run(subject);
    expect(begun()).toBe(3);
  });
});
