import type { Job, Queue } from 'bullmq';
import pLimit from 'p-limit';
import type { Clock } from '../../lib/clock.ts';
import type { Broker } from './broker.ts';
import { observe, type SuccessKeys } from './observe.ts';
import { dueAt, type JobPosition, jobPositions } from './positions.ts';
import type { Handler, HandlerState, JobState } from './types.ts';

/** The public fields of a job. No payload, which can hold personal data. Times are Unix ms. */
export interface JobSummary {
  /** `kind:id`. */
  id: string;
  name: string;
  state: JobState;
  createdAt: number;
  /** Maximum number of attempts. */
  attempts: number;
  attemptsMade: number;
  /** When it is due, or when its last attempt began. */
  runAt: number | null;
  finishedAt: number | null;
  /** First line of its last error, at most 200 characters. */
  error: string | null;
}

/** The position of the last job of a page. */
export interface JobCursor extends JobPosition {
  name: string;
}

export interface JobsQuery {
  /** The kind of job. Default: all kinds. */
  name?: string | undefined;
  state: JobState;
  limit: number;
  after?: JobCursor | undefined;
}

export interface JobsPage {
  jobs: JobSummary[];
  /** Cursor of the next page; undefined on the last one. */
  next: JobCursor | undefined;
}

/** Outcome of retrying or cancelling a job. */
type RetryResult = 'retried' | 'not_failed' | 'not_found';
type CancelResult = 'cancelled' | 'active' | 'completed' | 'repeated' | 'not_found';

/** A kind of job, with its counts. */
export interface KindState extends HandlerState {
  completed: number;
  /** Interval of a repeated job, in ms; null when it is not repeated. */
  everyMs: number | null;
}

/** Maximum number of concurrent Redis calls for one request. */
const maxConcurrentCalls = 20;
const maxErrorLength = 200;

const firstLine = (reason: string | undefined): string | null =>
  reason === undefined || reason === ''
    ? null
    : reason.split('\n', 1).join('').slice(0, maxErrorLength).toWellFormed();

function summaryOf(
  job: Job,
  { name, attempts }: Handler,
  state: JobState,
  { at }: JobPosition,
): JobSummary {
  return {
    id: `${name}:${job.id ?? ''}`,
    name,
    state,
    createdAt: job.timestamp,
    attempts: job.opts.attempts ?? attempts,
    attemptsMade: job.attemptsMade,
    runAt: state === 'delayed' ? dueAt(at) : (job.processedOn ?? null),
    finishedAt: job.finishedOn ?? null,
    error: firstLine(job.failedReason),
  };
}

/** Splits a public id into the kind and the BullMQ job id, which may itself have colons. */
function parseId(id: string): { name: string; jobId: string } {
  const at = id.indexOf(':');
  return { name: id.slice(0, Math.max(0, at)), jobId: id.slice(at + 1) };
}

/** Returns a job. Checks its state first, because an id could name another key of the queue. */
async function jobOf(queue: Queue, id: string): Promise<Job | undefined> {
  return (await queue.getJobState(id)) === 'unknown' ? undefined : queue.getJob(id);
}

/** Retries a failed job with its full number of attempts. BullMQ checks and moves it atomically. */
async function retryJob(job: Job): Promise<RetryResult> {
  try {
    await job.retry('failed', { resetAttemptsMade: true });
    return 'retried';
  } catch (error) {
    if ((await job.getState()) === 'failed') throw error;
    return 'not_failed';
  }
}

async function cancelJob(job: Job): Promise<CancelResult> {
  const state = await job.getState();
  if (state === 'unknown') return 'not_found';
  if (state === 'active' || state === 'completed') return state;
  // The next run of a repeated job: removing it would end the repetition.
  if (job.repeatJobKey !== undefined && state !== 'failed') return 'repeated';
  try {
    await job.remove();
    return 'cancelled';
  } catch (error) {
    if ((await job.getState()) !== 'active') throw error;
    return 'active';
  }
}

async function summaries(
  queue: Queue,
  handler: Handler,
  state: JobState,
  positions: readonly JobPosition[],
): Promise<JobSummary[]> {
  const jobs = await Promise.all(positions.map(({ id }) => queue.getJob(id)));
  // A job may have been removed meanwhile.
  return jobs.flatMap((job, index) =>
    job === undefined ? [] : summaryOf(job, handler, state, positions[index] ?? { id: '', at: 0 }),
  );
}

/** Job management for admins. Every call throws `request.unavailable` without Redis. */
export function createManagement({
  broker,
  handlers,
  successKeys,
  clock,
}: {
  broker: () => Promise<Broker>;
  handlers: ReadonlyMap<string, Handler>;
  successKeys: SuccessKeys;
  clock: Clock;
}) {
  return {
    list,
    /** Retries failed jobs. Idempotent. */
    retry: (ids: readonly string[]) => actOnJobs(ids, retryJob),
    /** Removes waiting, delayed and failed jobs. Idempotent. */
    remove: (ids: readonly string[]) => actOnJobs(ids, cancelJob),
    kinds,
  };

  /** Lists the jobs in a state: by kind, newest first; delayed jobs by due time. */
  async function list(query: JobsQuery): Promise<JobsPage> {
    const { state, limit, after } = query;
    const opened = await broker();
    const jobs: JobSummary[] = [];
    let remaining = limit;
    let last: JobCursor | undefined;
    for (const handler of kindsOf(query)) {
      const queue = await opened.queueOf(handler);
      const start = after?.name === handler.name ? after : undefined;
      const positions = await jobPositions(opened.requests, queue, state, start, remaining + 1);
      if (positions.length > 0 && remaining === 0) return { jobs, next: last };
      const shown = positions.slice(0, remaining);
      jobs.push(...(await summaries(queue, handler, state, shown)));
      remaining -= shown.length;
      const end = shown.at(-1);
      if (end !== undefined) last = { ...end, name: handler.name };
      if (positions.length > shown.length) return { jobs, next: last };
    }
    return { jobs, next: undefined };
  }

  /** Returns every kind of job with its number of jobs in each state. */
  async function kinds(): Promise<KindState[]> {
    const opened = await broker();
    const states = (await observe(opened, handlers.values(), successKeys, clock)).handlers;
    const kindOf = async (state: HandlerState): Promise<KindState> => {
      const handler = handlers.get(state.name);
      const queue = handler === undefined ? undefined : await opened.queueOf(handler);
      const { completed = 0 } = (await queue?.getJobCounts('completed')) ?? {};
      return { ...state, completed, everyMs: handler?.every?.ms ?? null };
    };
    return Promise.all(states.map(kindOf));
  }

  /** Applies `act` to each job, with limited concurrency. */
  async function actOnJobs<Result extends string>(
    ids: readonly string[],
    act: (job: Job) => Promise<Result>,
  ): Promise<{ id: string; result: Result | 'not_found' }[]> {
    const opened = await broker();
    const limit = pLimit(maxConcurrentCalls);
    const actOn = async (id: string) => {
      const { name, jobId } = parseId(id);
      const handler = handlers.get(name);
      const job =
        handler === undefined || jobId === ''
          ? undefined
          : await jobOf(await opened.queueOf(handler), jobId);
      return { id, result: job === undefined ? ('not_found' as const) : await act(job) };
    };
    return Promise.all([...new Set(ids)].map((id) => limit(() => actOn(id))));
  }

  /** The requested kinds by name, starting with the one in which the previous page ended. */
  function kindsOf({ name, after }: JobsQuery): Handler[] {
    return [...handlers.values()]
      .filter((handler) => name === undefined || handler.name === name)
      .filter((handler) => after === undefined || handler.name >= after.name)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
