import type { Worker } from 'bullmq';
import type { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { createBatching } from '../batching.ts';
import { requestErrors } from '../errors/errors.ts';
import { openBroker } from './broker.ts';
import type { Broker, BrokerOptions } from './broker.ts';
import { createManagement } from './manage.ts';
import { observe, unreachableState } from './observe.ts';
import type { AddOptions, Handler, JobDefinition, QueueState } from './types.ts';
import { type JobEnd, startWorker, stopWorker } from './worker.ts';
import { isStoreUnavailable } from '../errors/store-failures.ts';

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
    // `async`: what it throws before its first wait is to be looked at like what it throws later.
    process: async (payload, context) => process(schema.parse(payload), context),
  };
}

/**
 * Background jobs on BullMQ. Kinds of jobs are defined while the service is put together; nothing
 * connects, and BullMQ is not even loaded, before `start` or the first `add`.
 */
export function createQueues({
  clock,
  onJobEnd = () => undefined,
  ...options
}: BrokerOptions & { clock: Clock; onJobEnd?: (end: JobEnd) => void }) {
  const handlers = new Map<string, Handler>();
  const workers: Worker[] = [];
  const started: Handler[] = [];
  const settling: (() => Promise<void>)[] = [];
  const successKey = `${options.prefix}:last-success`;
  let opening: Promise<Broker> | undefined;
  let observed: QueueState | undefined;

  const broker = () => (opening ??= openBroker(options));

  async function add(
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
    const opened = await broker();
    const successes = createBatching(
      async (times: readonly number[]) => {
        await opened.requests.hset(successKey, handler.name, Math.max(...times));
        return times;
      },
      { patienceMs: 250 },
    );
    settling.push(successes.settled);
    workers.push(
      await startWorker(handler, {
        ...options,
        connection: opened.jobs,
        onEnd: onJobEnd,
        onSuccess: () => successes.addLater(clock.now()),
      }),
    );
    await schedule(handler);
  }

  async function schedule(handler: Handler): Promise<void> {
    if (handler.every === undefined) return;
    const { ms, payload } = handler.every;
    handler.check(payload);
    const queue = await (await broker()).queueOf(handler);
    await queue.upsertJobScheduler(
      handler.name,
      { every: ms },
      { name: handler.name, data: payload },
    );
  }

  /**
   * Redis may have been emptied, or was away at the start: a repeated job that is not in it would
   * never run again.
   */
  async function scheduleMissing(handler: Handler): Promise<void> {
    if (handler.every === undefined) return;
    const queue = await (await broker()).queueOf(handler);
    if ((await queue.getJobScheduler(handler.name)) !== undefined) return;
    await schedule(handler);
    options.logger.warn(
      { job: handler.name },
      'a repeated job was missing in Redis, and was scheduled again',
    );
  }

  return {
    /**
     * Registers a kind of job. `add` gives the job's id; it throws a ZodError, or
     * `request.unavailable` without Redis.
     */
    defineJob<Schema extends z.ZodType>(definition: JobDefinition<Schema>) {
      const handler = handlerOf(definition);
      handlers.set(handler.name, handler);
      return {
        add: (payload: z.input<Schema>, added: AddOptions = {}) => add(handler, payload, added),
      };
    },

    /**
     * Starts a worker for every kind of job, and the repeated jobs. Call it after the server
     * listens.
     */
    async start(): Promise<void> {
      const here = [...handlers.values()].filter(({ isHere }) => isHere);
      const results = await Promise.allSettled(here.map(startHandler));
      started.push(...here);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined)
        options.logger.error({ err: failed.reason }, 'a repeated job could not be scheduled');
    },

    /**
     * Asks the broker for the state of every queue and remembers the answer, and puts back repeated
     * jobs that are missing. Throws when it can't be reached.
     */
    async observe(): Promise<QueueState> {
      try {
        observed = await observe(await broker(), handlers.values(), successKey, clock);
        await Promise.all(started.map(scheduleMissing));
        return observed;
      } catch (error) {
        observed = undefined;
        throw error;
      }
    },

    ...createManagement({ broker, handlers, successKey, clock }),

    /** The last observation, from memory. */
    state: (): QueueState => observed ?? unreachableState(handlers.values()),

    /**
     * Stops the workers, waiting at most `limitMs` for the jobs under way, and closes the
     * connections.
     */
    async close(limitMs = 5000): Promise<void> {
      if (opening === undefined) return;
      const opened = await opening;
      await Promise.all(
        workers.map((worker) => stopWorker(worker, opened.jobs.status === 'ready', limitMs)),
      );
      await Promise.all(settling.map((settled) => settled()));
      await opened.close();
    },
  };
}

export type Queues = ReturnType<typeof createQueues>;
