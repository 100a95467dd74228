import {
  createFairQueue,
  type FairQueue,
  type Refusal,
} from '../../../lib/concurrency/fair-queue.ts';
import type {
  DashboardAnswer,
  DashboardStoreQuery,
  ExportStoreQuery,
  FunnelAnswer,
  FunnelStoreQuery,
  GoalsAnswer,
  GoalsStoreQuery,
  RetentionAnswer,
  RetentionStoreQuery,
  SiteStats,
} from '../store/queries.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import { analyticsErrors } from '../errors.ts';
import { createDeadline, type Deadline, unlessAborted } from './deadline.ts';
import { EventStoreError } from '../worker/event-thread.ts';
import type { SupervisedThread } from '../worker/supervised-thread.ts';

type Kind = Requester['kind'];
type Thread = Pick<
  SupervisedThread,
  'dashboard' | 'retention' | 'goals' | 'funnel' | 'siteStats' | 'export'
>;

export interface QueriesDeps {
  thread: Thread;
  /** Milliseconds that a query may wait, and after that run. */
  deadlineMs: number;
}

/**
 * Each query that runs takes a thread of the process's pool, of which there are four, and no
 * caller has all places: those who have a link alone never have more than one together.
 */
const places = 3;
const shares = {
  member: { running: places, runningPerCaller: 2, waitingPerCaller: 30, waiting: 300 },
  guest: { running: 1, runningPerCaller: 1, waitingPerCaller: 4, waiting: 40 },
};
const exportPlaces = 2;
const exportShares = {
  member: { running: exportPlaces, runningPerCaller: 1, waitingPerCaller: 3, waiting: 20 },
  guest: { running: 0, runningPerCaller: 0, waitingPerCaller: 0, waiting: 0 },
};
/** How long an export may go without a part: as long as sockets may be idle. */
const exportStallMs = 120_000;
const retryAfterSeconds = 5;

const retryLater = {
  headers: { 'retry-after': String(retryAfterSeconds) },
  extra: { retry_after: retryAfterSeconds },
};

/** The API error for an error of the event store, which names invalid patterns itself. */
export function toQueryError(cause: unknown): unknown {
  if (!(cause instanceof EventStoreError)) return cause;
  return cause.message.includes('not a regular expression')
    ? analyticsErrors.bad_pattern({ cause })
    : analyticsErrors.store_failed({ cause });
}

const refusalOf = (refusal: Refusal): Error =>
  refusal === 'caller_full'
    ? analyticsErrors.too_many_questions(retryLater)
    : analyticsErrors.busy(retryLater);

type Queue = FairQueue<Kind>;

async function enter(queue: Queue, { key, kind }: Requester, deadline: Deadline, ms: number) {
  deadline.set(ms, () => analyticsErrors.busy(retryLater));
  const entered = await queue.acquire(key, kind, deadline.signal);
  if (typeof entered === 'string') throw refusalOf(entered);
  return entered;
}

/** Each part has a deadline while the store works on it: whoever reads slowly may do so. */
async function* exportParts(
  { thread, deadlineMs }: QueriesDeps,
  queue: Queue,
  query: ExportStoreQuery,
  by: Requester,
): AsyncGenerator<Uint8Array, number> {
  const deadline = createDeadline(by.signal);
  let parts: AsyncGenerator<Uint8Array, number> | undefined;
  try {
    const settled = await enter(queue, by, deadline, deadlineMs);
    parts = thread.export(query, { signal: deadline.signal, settled });
    for (;;) {
      deadline.set(exportStallMs, () => analyticsErrors.question_too_slow());
      const step = await parts.next();
      deadline.pause();
      if (step.done === true) return step.value;
      yield step.value;
    }
  } catch (cause) {
    throw toQueryError(cause);
  } finally {
    deadline.stop();
    await parts?.return(0);
  }
}

/**
 * The one way to the event store for whoever wants figures. Queries wait for their turn, callers
 * taking turns; each has a deadline, and ends when its client leaves. This is counted in this
 * process, for it is this process's store that is protected. All throw
 * `analytics.too_many_questions`, `.busy`, `.question_too_slow`, `.bad_pattern`, `.store_failed`.
 */
export function createQueries(deps: QueriesDeps) {
  const { thread, deadlineMs } = deps;
  const figures = createFairQueue<Kind>(places, shares);
  const exports = createFairQueue<Kind>(exportPlaces, exportShares);

  async function ask<T>(by: Requester, query: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = createDeadline(by.signal);
    try {
      const leave = await enter(figures, by, deadline, deadlineMs);
      deadline.set(deadlineMs, () => analyticsErrors.question_too_slow());
      // The place is free when the store has let go of the query, which may be a moment after
      // its deadline.
      const work = query(deadline.signal).finally(leave);
      return await unlessAborted(work, deadline.signal);
    } catch (cause) {
      throw toQueryError(cause);
    } finally {
      deadline.stop();
    }
  }

  return {
    dashboard: (query: DashboardStoreQuery, by: Requester): Promise<DashboardAnswer> =>
      ask(by, (signal) => thread.dashboard(query, signal)),
    retention: (query: RetentionStoreQuery, by: Requester): Promise<RetentionAnswer> =>
      ask(by, (signal) => thread.retention(query, signal)),
    goals: (query: GoalsStoreQuery, by: Requester): Promise<GoalsAnswer> =>
      ask(by, (signal) => thread.goals(query, signal)),
    funnel: (query: FunnelStoreQuery, by: Requester): Promise<FunnelAnswer> =>
      ask(by, (signal) => thread.funnel(query, signal)),
    siteStats: (by: Requester): Promise<SiteStats[]> =>
      ask(by, (signal) => thread.siteStats(signal)),
    export: (query: ExportStoreQuery, by: Requester) => exportParts(deps, exports, query, by),
    /** How many run and wait. */
    figures: () => figures.figures(),
  };
}

export type AnalyticsQueries = ReturnType<typeof createQueries>;
