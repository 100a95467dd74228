import type { Job, Queue } from 'bullmq';
import pLimit from 'p-limit';
import type { Clock } from '../../lib/clock.ts';
import type { Broker } from './broker.ts';
import { observe } from './observe.ts';
import { dueAt, type JobPosition, jobPositions } from './positions.ts';
import type { Handler, HandlerState, JobState } from './types.ts';

/** What may be told of a job: not its payload, which can hold personal data. Times are Unix ms. */
export interface JobSummary {
  /** `kind:id`. */
  id: string;
  name: string;
  state: JobState;
  createdAt: number;
  /** How often it is tried in all. */
  attempts: number;
  attemptsMade: number;
  /** When it is due, or when its last try began. */
  runAt: number | null;
  finishedAt: number | null;
  /** The first line of why it failed last, at most 200 characters. */
  error: string | null;
}

/** Where a page ended. */
export interface JobCursor extends JobPosition {
  name: string;
}

export interface JobsQuery {
  /** One kind; all of them when absent. */
  name?: string | undefined;
  state: JobState;
  limit: number;
  after?: JobCursor | undefined;
}

export interface JobsPage {
  jobs: JobSummary[];
  /** Where the next page begins; undefined on the last one. */
  next: JobCursor | undefined;
}

/** What became of a job that was to be queued again, or removed. */
type RetryResult = 'retried' | 'not_failed' | 'not_found';
type CancelResult = 'cancelled' | 'active' | 'completed' | 'repeated' | 'not_found';

/** A kind of job, with how many of it there are. */
export interface KindState extends HandlerState {
  completed: number;
  /** How often it is added by itself, in ms. */
  everyMs: number | null;
}

export interface ManagementDeps {
  broker: () => Promise<Broker>;
  handlers: ReadonlyMap<string, Handler>;
  successKey: string;
  clock: Clock;
}

/** Calls to Redis at a time for the jobs of one request. */
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

/** The kind and the id within it; ids within a kind may have colons, kinds don't. */
function partsOf(id: string): { name: string; own: string } {
  const at = id.indexOf(':');
  return { name: id.slice(0, Math.max(0, at)), own: id.slice(at + 1) };
}

/** The job, if it is in a state: an id could name other keys of the queue. */
async function jobOf(queue: Queue, id: string): Promise<Job | undefined> {
  return (await queue.getJobState(id)) === 'unknown' ? undefined : queue.getJob(id);
}

/** Queues a failed job again with all its tries. BullMQ checks and moves atomically. */
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
  // The next one of a repeated kind: without it the kind would not repeat any more.
  if (job.repeatJobKey !== undefined && state !== 'failed') return 'repeated';
  try {
    await job.remove();
    return 'cancelled';
  } catch (error) {
    if ((await job.getState()) !== 'active') throw error;
    return 'active';
  }
}

/** Does something with each job, a few at a time. */
async function actOnJobs<Result extends string>(
  { broker, handlers }: ManagementDeps,
  ids: readonly string[],
  act: (job: Job) => Promise<Result>,
): Promise<{ id: string; result: Result | 'not_found' }[]> {
  const opened = await broker();
  const limit = pLimit(maxConcurrentCalls);
  const actOn = async (id: string) => {
    const { name, own } = partsOf(id);
    const handler = handlers.get(name);
    const job =
      handler === undefined || own === ''
        ? undefined
        : await jobOf(await opened.queueOf(handler), own);
    return { id, result: job === undefined ? ('not_found' as const) : await act(job) };
  };
  return Promise.all([...new Set(ids)].map((id) => limit(() => actOn(id))));
}

/** The kinds that are asked for, by name, from the one in which the page before ended. */
function kindsOf(handlers: ManagementDeps['handlers'], { name, after }: JobsQuery): Handler[] {
  return [...handlers.values()]
    .filter((handler) => name === undefined || handler.name === name)
    .filter((handler) => after === undefined || handler.name >= after.name)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function summaries(
  queue: Queue,
  handler: Handler,
  state: JobState,
  positions: readonly JobPosition[],
): Promise<JobSummary[]> {
  const jobs = await Promise.all(positions.map(({ id }) => queue.getJob(id)));
  // A job that was removed meanwhile is in no state any more.
  return jobs.flatMap((job, index) =>
    job === undefined ? [] : summaryOf(job, handler, state, positions[index] ?? { id: '', at: 0 }),
  );
}

async function listJobs(
  { broker, handlers }: ManagementDeps,
  question: JobsQuery,
): Promise<JobsPage> {
  const { state, limit, after } = question;
  const opened = await broker();
  const jobs: JobSummary[] = [];
  let room = limit;
  let last: JobCursor | undefined;
  for (const handler of kindsOf(handlers, question)) {
    const queue = await opened.queueOf(handler);
    const start = after?.name === handler.name ? after : undefined;
    const positions = await jobPositions(opened.requests, queue, state, start, room + 1);
    if (positions.length > 0 && room === 0) return { jobs, next: last };
    const shown = positions.slice(0, room);
    jobs.push(...(await summaries(queue, handler, state, shown)));
    room -= shown.length;
    const end = shown.at(-1);
    if (end !== undefined) last = { ...end, name: handler.name };
    if (positions.length > shown.length) return { jobs, next: last };
  }
  return { jobs, next: undefined };
}

async function listKinds(deps: ManagementDeps): Promise<KindState[]> {
  const { handlers, successKey, clock } = deps;
  const broker = await deps.broker();
  const states = (await observe(broker, handlers.values(), successKey, clock)).handlers;
  const kindOf = async (state: HandlerState): Promise<KindState> => {
    const handler = handlers.get(state.name);
    const queue = handler === undefined ? undefined : await broker.queueOf(handler);
    const { completed = 0 } = (await queue?.getJobCounts('completed')) ?? {};
    return { ...state, completed, everyMs: handler?.every?.ms ?? null };
  };
  return Promise.all(states.map(kindOf));
}

/** What admins do with jobs. Everything throws `request.unavailable` without Redis. */
export function createManagement(deps: ManagementDeps) {
  return {
    /** Jobs in a state: by kind, newest first; delayed ones in the order in which they are due. */
    list: (question: JobsQuery): Promise<JobsPage> => listJobs(deps, question),

    /** Queues failed jobs again. Repeating it changes nothing. */
    retry: (ids: readonly string[]) => actOnJobs(deps, ids, retryJob),

    /** Removes jobs that wait, are delayed or have failed. Repeating it changes nothing. */
    remove: (ids: readonly string[]) => actOnJobs(deps, ids, cancelJob),

    /** Every kind of job, and how many there are in each state. */
    kinds: (): Promise<KindState[]> => listKinds(deps),
  };
}
