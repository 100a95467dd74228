import type { Worker } from 'bullmq';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { createBatcher } from '../database/batcher.ts';
import { requestErrors } from '../errors/errors.ts';
import { isStoreUnavailable } from '../errors/store-failures.ts';
import { type Broker, type BrokerOptions, openBroker } from './broker.ts';
import { createManagement } from './manage.ts';
import { observe, unreachableState } from './observe.ts';
import { scheduleJob, scheduleMissingJobs } from './schedule.ts';
import type { AddOptions, Handler, JobDefinition, JobOptions, QueueState } from './types.ts';
import { type JobEnd, startWorker, stopWorker, type Success } from './worker.ts';

export interface QueuesOptions extends BrokerOptions {
  clock: Clock;
  onJobEnd?: (end: JobEnd) => void;
}

function handlerOf<Schema extends z.ZodType>({
  name,
  schema,
  options = {},
  process,
}: JobDefinition<Schema>): Handler {
  return {
    name,
    concurrency: options.concurrency ?? 1,
    attempts: options.attempts ?? 3,
    keepDone: options.keepDone ?? true,
    isHere: options.isHere ?? true,
    every: options.every,
    check: (payload) => schema.parse(payload),
    // `async`, so that a synchronous throw becomes a rejection.
    process: async (payload, context) => process(schema.parse(payload), context),
  };
}

/**
 * Background jobs on BullMQ. Kinds of jobs are defined while the service is composed; BullMQ is
 * loaded and connected only by `start` or the first `add`.
 */
export function createQueues(options: QueuesOptions) {
  const { prefix, clock, logger, onJobEnd = () => undefined } = options;
  const handlers = new Map<string, Handler>();
  const workers: Worker[] = [];
  /** Handlers whose jobs this process runs. */
  const started: Handler[] = [];
  /** Functions that resolve when pending success times are written. */
  const settled: (() => Promise<void>)[] = [];
  const successKeys = { at: `${prefix}:last-success`, took: `${prefix}:last-duration` };
  let opening: Promise<Broker> | undefined;
  let observed: QueueState | undefined;
  return {
    defineJob,
    every,
    start,
    observe: observeAll,
    ...createManagement({ broker, handlers, successKeys, clock }),
    /** The last observed state, from memory. */
    state: (): QueueState => observed ?? unreachableState(handlers.values()),
    close,
  };

  /**
   * Defines a kind of job. `add` returns the job's id; throws ZodError or `request.unavailable`.
   */
  function defineJob<Schema extends z.ZodType>(definition: JobDefinition<Schema>) {
    const handler = handlerOf(definition);
    handlers.set(handler.name, handler);
    return {
      add: (payload: z.input<Schema>, added: AddOptions = {}) => addJob(handler, payload, added),
    };
  }

  /** Defines a job without a payload that runs every `ms` milliseconds, once for all replicas. */
  function every(
    name: string,
    ms: number,
    process: () => Promise<void>,
    more: Omit<JobOptions<object>, 'every'> = {},
  ) {
    const schema = z.strictObject({});
    return defineJob({ name, schema, options: { ...more, every: { ms, payload: {} } }, process });
  }

  /** Starts a worker for every kind of job and schedules repeated jobs. Call it after `listen`. */
  async function start(): Promise<void> {
    const local = [...handlers.values()].filter(({ isHere }) => isHere);
    const results = await Promise.allSettled(local.map(startHandler));
    started.push(...local);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined)
      logger.error({ err: failed.reason }, 'a repeated job could not be scheduled');
  }

  /**
   * Reads and remembers the state of every queue, and reschedules missing repeated jobs. Throws
   * when the broker can't be reached.
   */
  async function observeAll(): Promise<QueueState> {
    try {
      observed = await observe(await broker(), handlers.values(), successKeys, clock);
      await scheduleMissingJobs(await broker(), started, logger);
      return observed;
    } catch (error) {
      observed = undefined;
      throw error;
    }
  }

  /** Stops the workers, waiting at most `limitMs` for running jobs, and disconnects. */
  async function close(limitMs = 5000): Promise<void> {
    if (opening === undefined) return;
    const opened = await opening;
    const isConnected = opened.jobs.status === 'ready';
    await Promise.all(workers.map((worker) => stopWorker(worker, isConnected, limitMs)));
    await Promise.all(settled.map((each) => each()));
    await opened.close();
  }

  /** Opens the broker on the first call. */
  function broker(): Promise<Broker> {
    return (opening ??= openBroker(options));
  }

  async function addJob(
    handler: Handler,
    payload: unknown,
    { delayMs = 0, id }: AddOptions,
  ): Promise<string> {
    handler.check(payload);
    const queue = await (await broker()).queueOf(handler);
    const job = await queue
      .add(handler.name, payload, { delay: delayMs, ...(id === undefined ? {} : { jobId: id }) })
      .catch((cause: unknown) => {
        throw isStoreUnavailable(cause) ? requestErrors.unavailable({ cause }) : cause;
      });
    return job.id ?? '';
  }

  async function startHandler(handler: Handler): Promise<void> {
    const { jobs: connection, requests } = await broker();
    const successes = createBatcher(
      async (all: readonly Success[]) => {
        const last = all.reduce((latest, each) => (each.at >= latest.at ? each : latest));
        await Promise.all([
          requests.hset(successKeys.at, handler.name, last.at),
          requests.hset(successKeys.took, handler.name, last.tookMs),
        ]);
        return all;
      },
      { delayMs: 250 },
    );
    settled.push(successes.settled);
    const worker = await startWorker(handler, {
      connection,
      prefix,
      logger,
      onEnd: onJobEnd,
      onSuccess: successes.addLater,
    });
    workers.push(worker);
    await scheduleJob(await broker(), handler);
  }
}

export type Queues = ReturnType<typeof createQueues>;
