import type { Worker } from 'bullmq';
import type { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { createBatcher } from '../database/batcher.ts';
import { requestErrors } from '../errors/errors.ts';
import { isStoreUnavailable } from '../errors/store-failures.ts';
import { type Broker, type BrokerOptions, openBroker } from './broker.ts';
import { createManagement } from './manage.ts';
import { observe, unreachableState } from './observe.ts';
import { scheduleJob, scheduleMissingJobs } from './schedule.ts';
import type { AddOptions, Handler, JobDefinition, QueueState } from './types.ts';
import { type JobEnd, startWorker, stopWorker } from './worker.ts';

export interface QueuesOptions extends BrokerOptions {
  clock: Clock;
  onJobEnd?: (end: JobEnd) => void;
}

interface System extends QueuesOptions {
  handlers: Map<string, Handler>;
  /** Opens the broker on the first call. */
  broker: () => Promise<Broker>;
  workers: Worker[];
  /** Handlers whose jobs this process runs. */
  started: Handler[];
  /** Redis key of the hash with the last success of each kind of job. */
  successKey: string;
  /** Functions that resolve when pending success times are written. */
  settled: (() => Promise<void>)[];
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

async function addJob(
  { broker }: System,
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

async function startHandler(system: System, handler: Handler): Promise<void> {
  const { clock, prefix, logger, onJobEnd = () => undefined, successKey } = system;
  const broker = await system.broker();
  const successes = createBatcher(
    async (times: readonly number[]) => {
      await broker.requests.hset(successKey, handler.name, Math.max(...times));
      return times;
    },
    { delayMs: 250 },
  );
  system.settled.push(successes.settled);
  const worker = await startWorker(handler, {
    connection: broker.jobs,
    prefix,
    logger,
    onEnd: onJobEnd,
    onSuccess: () => successes.addLater(clock.now()),
  });
  system.workers.push(worker);
  await scheduleJob(broker, handler);
}

async function startAll(system: System): Promise<void> {
  const local = [...system.handlers.values()].filter(({ isHere }) => isHere);
  const results = await Promise.allSettled(local.map((handler) => startHandler(system, handler)));
  system.started.push(...local);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined)
    system.logger.error({ err: failed.reason }, 'a repeated job could not be scheduled');
}

async function closeAll({ workers, settled }: System, broker: Broker, limitMs: number) {
  const isConnected = broker.jobs.status === 'ready';
  await Promise.all(workers.map((worker) => stopWorker(worker, isConnected, limitMs)));
  await Promise.all(settled.map((each) => each()));
  await broker.close();
}

/**
 * Background jobs on BullMQ. Kinds of jobs are defined while the service is composed; BullMQ is
 * loaded and connected only by `start` or the first `add`.
 */
export function createQueues(options: QueuesOptions) {
  let opening: Promise<Broker> | undefined;
  let observed: QueueState | undefined;
  const system: System = {
    ...options,
    handlers: new Map(),
    broker: () => (opening ??= openBroker(options)),
    workers: [],
    started: [],
    successKey: `${options.prefix}:last-success`,
    settled: [],
  };
  const { handlers, successKey, broker, clock } = system;

  return {
    /**
     * Defines a kind of job. `add` returns the job's id; throws ZodError or `request.unavailable`.
     */
    defineJob<Schema extends z.ZodType>(definition: JobDefinition<Schema>) {
      const handler = handlerOf(definition);
      handlers.set(handler.name, handler);
      return {
        add: (payload: z.input<Schema>, added: AddOptions = {}) =>
          addJob(system, handler, payload, added),
      };
    },

    /**
     * Starts a worker for every kind of job and schedules repeated jobs. Call it after `listen`.
     */
    start: (): Promise<void> => startAll(system),

    /**
     * Reads and remembers the state of every queue, and reschedules missing repeated jobs. Throws
     * when the broker can't be reached.
     */
    async observe(): Promise<QueueState> {
      try {
        observed = await observe(await broker(), handlers.values(), successKey, clock);
        await scheduleMissingJobs(await broker(), system.started, options.logger);
        return observed;
      } catch (error) {
        observed = undefined;
        throw error;
      }
    },

    ...createManagement({ broker, handlers, successKey, clock }),

    /** The last observed state, from memory. */
    state: (): QueueState => observed ?? unreachableState(handlers.values()),

    /** Stops the workers, waiting at most `limitMs` for running jobs, and disconnects. */
    async close(limitMs = 5000): Promise<void> {
      if (opening !== undefined) await closeAll(system, await opening, limitMs);
    },
  };
}

export type Queues = ReturnType<typeof createQueues>;
