import type { Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { z } from 'zod';
import { PermanentJobError } from './permanent-job-error.ts';
import type { Handler } from './types.ts';

/** The outcome of an attempt at a job. */
export interface JobEnd {
  job: string;
  id: string;
  attempt: number;
  outcome: 'completed' | 'failed';
}

/** When a job succeeded (Unix ms, as Redis keeps it), and how long it took. */
export interface Success {
  at: number;
  tookMs: number;
}

export interface WorkerOptions {
  connection: Redis;
  prefix: string;
  logger: Logger;
  /** Called after each successful job. A rejection is ignored. */
  onSuccess: (success: Success) => Promise<unknown>;
  /** Called after each attempt. */
  onEnd: (end: JobEnd) => void;
}

/** PostgreSQL's class of errors about the data itself, such as text with NUL (22021, 22P05). */
const isDataError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^22[0-9A-Z]{3}$/.test(error.code);

/** True for errors that a job with the same payload gets again at each attempt. */
const isPermanent = (error: unknown): boolean =>
  error instanceof PermanentJobError || error instanceof z.ZodError || isDataError(error);

/** Other messages than our own may quote what someone entered. */
const messageOf = (error: unknown): string =>
  error instanceof PermanentJobError ? error.message : 'the payload can’t be processed';

/**
 * Starts processing the handler's jobs. A job whose payload is no longer valid, or whose handler
 * throws an error that stays, fails without a retry.
 */
export async function startWorker(
  handler: Handler,
  { connection, prefix, logger, onSuccess, onEnd }: WorkerOptions,
): Promise<Worker> {
  const { UnrecoverableError, Worker } = await import('bullmq');

  async function work(job: Job<unknown>): Promise<void> {
    try {
      handler.check(job.data);
    } catch {
      throw new UnrecoverableError('the payload does not match its schema');
    }
    await handler
      .process(job.data, {
        id: job.id ?? '',
        attempt: job.attemptsMade + 1,
        isRestarted: job.attemptsStarted > job.attemptsMade + 1,
      })
      .catch((error: unknown) => {
        throw isPermanent(error) ? new UnrecoverableError(messageOf(error)) : error;
      });
  }

  const worker = new Worker(handler.name, work, {
    connection,
    prefix,
    concurrency: handler.concurrency,
  });
  // The connection logs its own outages.
  worker.on('error', (error) => logger.debug({ err: error, job: handler.name }, 'worker error'));
  const reportEnd = (outcome: JobEnd['outcome'], job: Job<unknown> | undefined) =>
    onEnd({ job: handler.name, id: job?.id ?? '', attempt: job?.attemptsMade ?? 0, outcome });
  worker.on('completed', (job) => {
    reportEnd('completed', job);
    const { processedOn: from = job.timestamp, finishedOn: at = from } = job;
    void onSuccess({ at, tookMs: at - from }).catch(() => undefined);
  });
  worker.on('failed', (job, error) => {
    reportEnd('failed', job);
    logger.warn(
      { err: error, job: handler.name, job_id: job?.id, attempt: job?.attemptsMade },
      'job failed',
    );
  });
  return worker;
}

/**
 * Stops taking jobs and waits up to `limitMs` for running ones. Another worker retries the rest.
 */
export async function stopWorker(
  worker: Worker,
  isConnected: boolean,
  limitMs: number,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    void worker.close(!isConnected).finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
