import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createQueries } from '../../../../src/areas/analytics/figures/queries.ts';
import { queryFunctions } from '../../../../src/areas/analytics/store/queries.ts';
import type { Requester } from '../../../../src/platform/http/requests/requester.ts';
import { emptyResult, emptyQuery } from './empty-result.ts';

const deadlineMs = 10_000;

interface StartedQuery {
  siteId: number;
  signal: AbortSignal;
  answer: () => void;
}

/**
 * Opens queries on a fake worker thread, which answers on demand and rejects aborted queries.
 * `started` lists the queries that reached the thread.
 */
function openQueries() {
  const started: StartedQuery[] = [];
  const unexpected = () => Promise.reject(new Error('not asked here'));
  const queries = createQueries({
    deadlineMs,
    thread: {
      ...queryFunctions(unexpected),
      dashboard: ({ siteId }, signal) =>
        new Promise((resolve, reject) => {
          started.push({ siteId: Number(siteId), signal, answer: () => resolve(emptyResult) });
          signal.addEventListener('abort', () => reject(new Error('interrupted')));
        }),
      export: () => {
        throw new Error('not asked here');
      },
    },
  });
  const ask = (by: Requester, siteId = 1) => queries.dashboard({ ...emptyQuery, siteId }, by);
  return { queries, ask, started };
}

function caller(key: string, kind: Requester['kind'] = 'member') {
  const controller = new AbortController();
  return {
    key,
    kind,
    signal: controller.signal,
    disconnect: () => controller.abort(new Error('gone')),
  };
}

const tick = () => vi.advanceTimersByTimeAsync(0);

describe('queries to the event store', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('of a disconnected client are aborted, and its waiting ones never start', async () => {
    const { ask, started, queries } = openQueries();
    const [ada, ben] = [caller('ada'), caller('ben')];
    const results = Promise.allSettled([ask(ada), ask(ada), ask(ada), ask(ada)]);
    await tick();
    expect(started).toHaveLength(2);
    ada.disconnect();
    for (const { status } of await results) expect(status).toBe('rejected');
    expect(started.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    const bens = ask(ben, 2);
    await tick();
    expect(started.map(({ siteId }) => siteId)).toEqual([1, 1, 2]);
    started[2]?.answer();
    expect(await bens).toBe(emptyResult);
    expect(queries.figures()).toEqual({ running: 0, waiting: 0 });
  });

  it('have a deadline: after it they are aborted and answered with 503', async () => {
    const { ask, started } = openQueries();
    const late = ask(caller('ada')).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(deadlineMs - 1);
    expect(started[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await late).toMatchObject({ status: 503, code: 'analytics.query_timeout' });
    expect(started[0]?.signal.aborted).toBe(true);
  });

  it('wait for a running one to time out, then get a full deadline of their own', async () => {
    const { ask, started } = openQueries();
    const guest = caller('link 1', 'guest');
    void ask(guest).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1);
    const waiting = ask(caller('link 2', 'guest')).catch((error: unknown) => error);
    // The running query is aborted first, and the waiting one has its full deadline.
    await vi.advanceTimersByTimeAsync(deadlineMs - 1);
    await tick();
    expect(started).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(deadlineMs);
    expect(await waiting).toMatchObject({ code: 'analytics.query_timeout' });
  });

  it('of shared links never take every slot: a signed-in user is still answered', async () => {
    const { ask, started } = openQueries();
    for (let link = 0; link < 6; link += 1)
      void ask(caller(`link ${link}`, 'guest'), 1).catch(() => undefined);
    await tick();
    const admins = ask(caller('admin'), 2);
    await tick();
    expect(started.map(({ siteId }) => siteId)).toEqual([1, 2]);
    started[1]?.answer();
    expect(await admins).toBe(emptyResult);
  });

  it('beyond the waiting limit of one caller are refused with 429 and Retry-After', async () => {
    const { ask } = openQueries();
    const guest = caller('link', 'guest');
    for (let sent = 0; sent < 5; sent += 1) void ask(guest).catch(() => undefined);
    await expect(ask(guest)).rejects.toMatchObject({
      status: 429,
      code: 'analytics.too_many_queries',
      headers: { 'retry-after': '5' },
    });
    guest.disconnect();
  });

  it('of one caller never take every slot: another caller still gets one', async () => {
    const { ask, started } = openQueries();
    for (let sent = 0; sent < 10; sent += 1) void ask(caller('ada'), 1).catch(() => undefined);
    void ask(caller('ben'), 2).catch(() => undefined);
    await tick();
    expect(started.map(({ siteId }) => siteId)).toEqual([1, 1, 2]);
  });
});
