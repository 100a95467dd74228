import { afterEach, describe, expect, it, vi } from 'vitest';
import { createQuestions } from '../../../../src/areas/analytics/figures/questions.ts';
import type { DashboardQuestion } from '../../../../src/areas/analytics/store/questions.ts';
import type { Requester } from '../../../../src/platform/http/requests/requester.ts';
import { emptyAnswer } from './empty-answer.ts';

const question: DashboardQuestion = {
  siteId: 1,
  range: { from: 0, to: 1 },
  compare: undefined,
  buckets: [0],
  filters: [],
  bots: false,
  limit: 10,
  now: 1,
};
const answer = emptyAnswer;
const deadlineMs = 10_000;

interface Asked {
  siteId: number;
  signal: AbortSignal;
  answer: () => void;
}

/**
 * The questions, and what has got as far as the thread, which answers when the test says so and
 * lets go of what is aborted.
 */
function openQuestions() {
  const asked: Asked[] = [];
  const nothing = () => Promise.reject(new Error('not asked here'));
  const questions = createQuestions({
    deadlineMs,
    thread: {
      dashboard: ({ siteId }, signal = new AbortController().signal) =>
        new Promise((resolve, reject) => {
          asked.push({ siteId: Number(siteId), signal, answer: () => resolve(answer) });
          signal.addEventListener('abort', () => reject(new Error('interrupted')));
        }),
      retention: nothing,
      goals: nothing,
      funnel: nothing,
      siteStats: nothing,
      export: () => {
        throw new Error('not asked here');
      },
    },
  });
  const ask = (by: Requester, siteId = 1) => questions.dashboard({ ...question, siteId }, by);
  return { questions, ask, asked };
}

function caller(key: string, kind: Requester['kind'] = 'member') {
  const controller = new AbortController();
  return { key, kind, signal: controller.signal, leave: () => controller.abort(new Error('gone')) };
}

const turn = () => vi.advanceTimersByTimeAsync(0);

describe('questions to the event store', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('of the client that has left end, and those that still wait are never asked', async () => {
    vi.useFakeTimers();
    const { ask, asked, questions } = openQuestions();
    const [ada, ben] = [caller('ada'), caller('ben')];
    const results = Promise.allSettled([ask(ada), ask(ada), ask(ada), ask(ada)]);
    await turn();
    expect(asked).toHaveLength(2);
    ada.leave();
    expect((await results).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'rejected',
    ]);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    const bens = ask(ben, 2);
    await turn();
    expect(asked.map(({ siteId }) => siteId)).toEqual([1, 1, 2]);
    asked[2]?.answer();
    expect(await bens).toBe(answer);
    expect(questions.figures()).toEqual({ running: 0, waiting: 0 });
  });

  it('have a deadline: then 503, and the place is free for the next one', async () => {
    vi.useFakeTimers();
    const { ask, asked } = openQuestions();
    const late = ask(caller('ada')).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(deadlineMs - 1);
    expect(asked[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await late).toMatchObject({ status: 503, code: 'analytics.question_too_slow' });
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  it('wait as long as a question may run, and are then told to come again', async () => {
    vi.useFakeTimers();
    const { ask, asked } = openQuestions();
    const guest = caller('link 1', 'guest');
    void ask(guest).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1);
    const waiting = ask(caller('link 2', 'guest')).catch((error: unknown) => error);
    // The one before is given up first, and the next has its whole time.
    await vi.advanceTimersByTimeAsync(deadlineMs - 1);
    await turn();
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(deadlineMs);
    expect(await waiting).toMatchObject({ code: 'analytics.question_too_slow' });
  });

  it('by links never hold all places: whoever is signed in is answered meanwhile', async () => {
    vi.useFakeTimers();
    const { ask, asked } = openQuestions();
    for (let link = 0; link < 6; link += 1)
      void ask(caller(`link ${link}`, 'guest'), 1).catch(() => undefined);
    await turn();
    const admins = ask(caller('admin'), 2);
    await turn();
    expect(asked.map(({ siteId }) => siteId)).toEqual([1, 2]);
    asked[1]?.answer();
    expect(await admins).toBe(answer);
  });

  it('beyond what one caller may have waiting are refused with 429 and Retry-After', async () => {
    vi.useFakeTimers();
    const { ask } = openQuestions();
    const guest = caller('link', 'guest');
    for (let sent = 0; sent < 5; sent += 1) void ask(guest).catch(() => undefined);
    await expect(ask(guest)).rejects.toMatchObject({
      status: 429,
      code: 'analytics.too_many_questions',
      headers: { 'retry-after': '5' },
    });
    guest.leave();
  });

  it('of one caller leave room for another: no caller has all places', async () => {
    vi.useFakeTimers();
    const { ask, asked } = openQuestions();
    for (let sent = 0; sent < 10; sent += 1) void ask(caller('ada'), 1).catch(() => undefined);
    void ask(caller('ben'), 2).catch(() => undefined);
    await turn();
    expect(asked.map(({ siteId }) => siteId)).toEqual([1, 1, 2]);
  });
});
