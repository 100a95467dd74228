import { describe, expect, it } from 'vitest';
import { createPacedQueue } from '../../../src/lib/concurrency/paced-queue.ts';

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** A budget that the first task uses up. */
const tinyBudget = Number.MIN_VALUE;

/** A task that records when it runs, and takes a measurable time. */
function task(name: string, ran: string[]) {
  return async () => {
    const began = performance.now();
    while (performance.now() === began) ran.length += 0;
    ran.push(name);
    return name;
  };
}

describe('a paced queue', () => {
  it('runs the first task at once and those past the budget in later turns, in order', async () => {
    const ran: string[] = [];
    const atPace = createPacedQueue(tinyBudget);
    const results = Promise.all(['a', 'b', 'c'].map((name) => atPace(task(name, ran))));
    expect(ran).toEqual(['a']);
    await turn();
    expect(ran).toEqual(['a', 'b']);
    await turn();
    expect(ran).toEqual(['a', 'b', 'c']);
    expect(await results).toEqual(['a', 'b', 'c']);
  });

  it('runs all tasks within the budget at once', () => {
    const ran: string[] = [];
    const atPace = createPacedQueue(60_000);
    for (const name of ['a', 'b', 'c']) void atPace(task(name, ran));
    expect(ran).toEqual(['a', 'b', 'c']);
  });

  it('runs later tasks after waiting ones, with a new budget each turn', async () => {
    const ran: string[] = [];
    const atPace = createPacedQueue(tinyBudget);
    void atPace(task('a', ran));
    void atPace(task('b', ran));
    await turn();
    void atPace(task('c', ran));
    expect(ran).toEqual(['a', 'b']);
    await turn();
    await turn();
    void atPace(task('d', ran));
    expect(ran).toEqual(['a', 'b', 'c', 'd']);
  });

  it('rejects the call of a failing task and runs the next ones', async () => {
    const ran: string[] = [];
    const atPace = createPacedQueue(tinyBudget);
    const failing = atPace(() => Promise.reject(new Error('no')));
    const next = atPace(task('b', ran));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('b');
  });
});
