import { retryAfter } from '../../../platform/errors/errors.ts';
import {
  createFairQueue,
  type FairQueue,
  type Refusal,
} from '../../../lib/concurrency/fair-queue.ts';
import { type ExportStoreQuery, type QueryFunctions, queryFunctions } from '../store/queries.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import { analyticsErrors } from '../errors.ts';
import { createDeadline, type Deadline, unlessAborted } from './deadline.ts';
import { EventStoreError } from '../worker/event-thread.ts';
import type { SupervisedThread } from '../worker/supervised-thread.ts';

type Kind = Requester['kind'];

/**
 * Each running query occupies one of the four threads of the process's pool. No caller can occupy
 * all slots, and all guests (holders of share links) together occupy at most one.
 */
const slots = 3;
const shares = {
  member: { running: slots, runningPerCaller: 2, waitingPerCaller: 30, waiting: 300 },
  guest: { running: 1, runningPerCaller: 1, waitingPerCaller: 4, waiting: 40 },
};
const exportSlots = 2;
const exportShares = {
  member: { running: exportSlots, runningPerCaller: 1, waitingPerCaller: 3, waiting: 20 },
  guest: { running: 0, runningPerCaller: 0, waitingPerCaller: 0, waiting: 0 },
};
/** How long the store may take for a part of an export: as long as sockets may be idle. */
const exportStallMs = 120_000;
const retryLater = retryAfter(5);

/** Converts an error of the event store to an API error. Returns other errors unchanged. */
export function toQueryError(cause: unknown): unknown {
  if (!(cause instanceof EventStoreError)) return cause;
  return cause.message.includes('not a regular expression')
    ? analyticsErrors.bad_pattern({ cause })
    : analyticsErrors.store_failed({ cause });
}

const toRefusalError = (refusal: Refusal): Error =>
  refusal === 'caller_full'
    ? analyticsErrors.too_many_queries(retryLater)
    : analyticsErrors.busy(retryLater);

/**
 * The only access to the event store for reading figures. Queries wait in a queue that is fair to
 * callers; each may wait and then run for `deadlineMs`, and is cancelled when its client
 * disconnects. The queue is per process, since it protects the store of this process. All methods
 * throw `analytics.too_many_queries`, `.busy`, `.query_timeout`, `.bad_pattern`, `.store_failed`.
 */
export function createQueries({
  thread,
  deadlineMs,
}: {
  thread: QueryFunctions<[signal: AbortSignal]> & Pick<SupervisedThread, 'export'>;
  deadlineMs: number;
}) {
  const functions: QueryFunctions<[signal: AbortSignal]> = thread;
  const figures = createFairQueue<Kind>(slots, shares);
  const exports = createFairQueue<Kind>(exportSlots, exportShares);

  return {
    ...queryFunctions((name, params, by: Requester) =>
      run(by, (signal) => functions[name](params, signal)),
    ),
    export: exportParts,
    /** Returns how many queries run and wait. */
    figures: () => figures.figures(),
  };

  async function run<T>(by: Requester, query: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = createDeadline(by.signal);
    try {
      const release = await enter(figures, by, deadline);
      deadline.set(deadlineMs, () => analyticsErrors.query_timeout());
      // The slot is free once the store has stopped working on the query, which may be shortly
      // after its deadline.
      const work = query(deadline.signal).finally(release);
      return await unlessAborted(work, deadline.signal);
    } catch (cause) {
      throw toQueryError(cause);
    } finally {
      deadline.stop();
    }
  }

  /** The deadline of a part applies only while the store works on it: clients may read slowly. */
  async function* exportParts(
    query: ExportStoreQuery,
    by: Requester,
  ): AsyncGenerator<Uint8Array, number> {
    const deadline = createDeadline(by.signal);
    let parts: AsyncGenerator<Uint8Array, number> | undefined;
    try {
      const settled = await enter(exports, by, deadline);
      parts = thread.export(query, { signal: deadline.signal, settled });
      for (;;) {
        deadline.set(exportStallMs, () => analyticsErrors.query_timeout());
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

  async function enter(queue: FairQueue<Kind>, { key, kind }: Requester, deadline: Deadline) {
    deadline.set(deadlineMs, () => analyticsErrors.busy(retryLater));
    const entered = await queue.acquire(key, kind, deadline.signal);
    if (typeof entered === 'string') throw toRefusalError(entered);
    return entered;
  }
}

export type AnalyticsQueries = ReturnType<typeof createQueries>;
