import { describe, expect, it } from 'vitest';
import { createPacedQueue } from '../../../src/lib/concurrency/paced-queue.ts';

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Runs out with the first piece of work. */
const least = Number.MIN_VALUE;

/** Work that says when it ran, and takes time that can be measured. */
function piece(name: string, ran: string[]) {
  return async () => {
    const began = performance.now();
    while (performance.now() === began) ran.length += 0;
    ran.push(name);
    return name;
  };
}

describe('work at a pace', () => {
  it('does the first piece at once, those past the budget in later turns, in order', async () => {
    const ran: string[] = [];
    const atPace = createPacedQueue(least);
    const results = Promise.all(['a', 'b', 'c'].map((name) => atPace(piece(name, ran))));
    expect(ran).toEqual(['a']);
    await turn();
    expect(ran).toEqual(['a', 'b']);
    await turn();
    expect(ran).toEqual(['a', 'b', 'c']);
    expect(await results).toEqual(['a', 'b', 'c']);
  });

  it('pieces that fit into the budget are all done at once', () => {
    const ran: string[] = [];
    const atPace = createPacedQueue(60_000);
    for (const name of ['a', 'b', 'c']) void atPace(piece(name, ran));
    expect(ran).toEqual(['a', 'b', 'c']);
  });

  it('does what comes later after those that wait, with a new budget each turn', async () => {
    const ran: string[] = [];
    const atPace = createPacedQueue(least);
    void atPace(piece('a', ran));
    void atPace(piece('b', ran));
    await turn();
    void atPace(piece('c', ran));
    expect(ran).toEqual(['a', 'b']);
    await turn();
    await turn();
    void atPace(piece('d', ran));
    expect(ran).toEqual(['a', 'b', 'c', 'd']);
  });

  it('a piece that fails gives its error to who asked, and the next ones are done', async () => {
    const ran: string[] = [];
    const atPace = createPacedQueue(least);
    const failing = atPace(() => Promise.reject(new Error('no')));
    const next = atPace(piece('b', ran));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('b');
  });
});
