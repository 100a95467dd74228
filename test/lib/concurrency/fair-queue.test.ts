import { describe, expect, it } from 'vitest';
import { createFairQueue, type Release } from '../../../src/lib/concurrency/fair-queue.ts';

const never = new AbortController().signal;
const shares = {
  member: { running: 3, runningPerCaller: 2, waitingPerCaller: 3, waiting: 6 },
  guest: { running: 1, runningPerCaller: 1, waitingPerCaller: 2, waiting: 3 },
};

/** A queue that records the order of admission and can release slots. */
function openQueue() {
  const queue = createFairQueue(3, shares);
  const inside: { key: string; leave: Release }[] = [];
  const admitted: string[] = [];
  async function enter(
    key: string,
    kind: keyof typeof shares = 'member',
    signal = never,
  ): Promise<string> {
    const entered = await queue.acquire(key, kind, signal);
    if (typeof entered === 'string') return entered;
    admitted.push(key);
    inside.push({ key, leave: entered });
    return 'in';
  }
  /** Releases a slot of this caller and waits until the next request is admitted. */
  async function leave(key: string): Promise<void> {
    const at = inside.findIndex((each) => each.key === key);
    inside.splice(at, 1)[0]?.leave();
    await turn();
  }
  return { queue, enter, leave, admitted };
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('a fair queue', () => {
  it('lets callers take turns, even if one of them has sent many requests first', async () => {
    const { enter, leave, admitted } = openQueue();
    for (const key of ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c']) void enter(key);
    await turn();
    expect(admitted).toEqual(['a', 'a', 'b']);
    await leave('a');
    await leave('a');
    await leave('b');
    expect(admitted.slice(3)).toEqual(['a', 'b', 'c']);
    for (let left = 0; left < 9; left += 1) for (const key of ['a', 'b', 'c']) await leave(key);
    expect([...admitted].sort()).toEqual(['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c']);
  });

  it('gives guests no more slots than their share, even while others are free', async () => {
    const { enter, admitted, queue } = openQueue();
    for (const key of ['g1', 'g1', 'g2', 'g3']) void enter(key, 'guest');
    await turn();
    expect(admitted).toEqual(['g1']);
    expect(await enter('a')).toBe('in');
    expect(queue.figures()).toEqual({ running: 2, waiting: 3 });
  });

  it('refuses requests of a caller or kind that has too many waiting', async () => {
    const { enter } = openQueue();
    for (const key of ['g1', 'g1', 'g1']) void enter(key, 'guest');
    expect(await enter('g1', 'guest')).toBe('caller_full');
    void enter('g2', 'guest');
    expect(await enter('g3', 'guest')).toBe('kind_full');
    expect(await enter('a')).toBe('in');
  });

  it('never grants a slot to a request that is aborted while it waits', async () => {
    const { enter, leave, admitted, queue } = openQueue();
    const gone = new AbortController();
    void enter('g1', 'guest');
    const waiting = enter('g2', 'guest', gone.signal);
    void enter('g3', 'guest');
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await leave('g1');
    expect(admitted).toEqual(['g1', 'g3']);
    await expect(enter('g2', 'guest', gone.signal)).rejects.toThrow('gone');
    await leave('g3');
    expect(queue.figures()).toEqual({ running: 0, waiting: 0 });
  });

  it('frees a slot only once, even if it is released twice', async () => {
    const { queue } = openQueue();
    const leave = await queue.acquire('a', 'member', never);
    if (typeof leave === 'string') throw new Error(leave);
    await queue.acquire('a', 'member', never);
    leave();
    leave();
    expect(queue.figures()).toEqual({ running: 1, waiting: 0 });
  });
});
