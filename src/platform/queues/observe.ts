import type { Clock } from '../../lib/clock.ts';
import { pingRedis } from '../redis/redis.ts';
import type { Broker } from './broker.ts';
import type { Handler, HandlerState, QueueState } from './types.ts';

const unknownCounts = {
  active: null,
  waiting: null,
  delayed: null,
  failed: null,
  oldest_waiting_s: null,
  last_success_at: null,
  last_duration_ms: null,
  next_run_at: null,
};

/** The state of the handlers while the broker is unreachable. */
export function unreachableState(handlers: Iterable<Handler>): QueueState {
  return {
    broker: { kind: 'redis', reachable: false, latency_ms: null },
    handlers: [...handlers].map(({ name, concurrency }) => ({
      name,
      concurrency,
      ...unknownCounts,
    })),
  };
}

async function oldestWaiting(
  broker: Broker,
  handler: Handler,
  now: number,
): Promise<number | null> {
  const queue = await broker.queueOf(handler);
  const [job] = await queue.getJobs(['waiting'], 0, 0, true);
  return job === undefined ? null : Math.max(0, Math.round((now - job.timestamp) / 1000));
}

const iso = (ms: string | null | undefined): string | null =>
  ms == null ? null : new Date(Number(ms)).toISOString();

/** What Redis keeps of the last successes of all kinds, by kind. */
export interface SuccessKeys {
  /** Hash of times, Unix ms. */
  at: string;
  /** Hash of durations, ms. */
  took: string;
}

async function handlerState(
  broker: Broker,
  handler: Handler,
  last: { at: string | undefined; took: string | undefined },
  now: number,
): Promise<HandlerState> {
  const queue = await broker.queueOf(handler);
  const [counts, next] = await Promise.all([
    queue.getJobCounts('active', 'waiting', 'delayed', 'failed'),
    handler.every && broker.requests.zscore(queue.toKey('repeat'), handler.name),
  ]);
  return {
    name: handler.name,
    concurrency: handler.concurrency,
    active: counts.active ?? 0,
    waiting: counts.waiting ?? 0,
    delayed: counts.delayed ?? 0,
    failed: counts.failed ?? 0,
    oldest_waiting_s: counts.waiting === 0 ? null : await oldestWaiting(broker, handler, now),
    last_success_at: iso(last.at),
    last_duration_ms: last.took === undefined ? null : Number(last.took),
    next_run_at: iso(next),
  };
}

/** Reads the state of the broker and of every queue. Throws when Redis can't be reached. */
export async function observe(
  broker: Broker,
  handlers: Iterable<Handler>,
  successKeys: SuccessKeys,
  clock: Clock,
): Promise<QueueState> {
  await broker.ready();
  const latency = await pingRedis(broker.requests);
  const [at, took] = await Promise.all([
    broker.requests.hgetall(successKeys.at),
    broker.requests.hgetall(successKeys.took),
  ]);
  const now = clock.now();
  const states = [...handlers].map((handler) => {
    const last = { at: at[handler.name], took: took[handler.name] };
    return handlerState(broker, handler, last, now);
  });
  return {
    broker: { kind: 'redis', reachable: true, latency_ms: Math.round(latency * 1000) / 1000 },
    handlers: await Promise.all(states),
  };
}
