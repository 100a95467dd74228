import type { Logger } from 'pino';
import type { Broker } from './broker.ts';
import type { Handler } from './types.ts';

/** Schedules the repeated job of a handler, if it has one. Throws ZodError for a bad payload. */
export async function scheduleJob(broker: Broker, handler: Handler): Promise<void> {
  const { name, every, check } = handler;
  if (every === undefined) return;
  check(every.payload);
  const queue = await broker.queueOf(handler);
  await queue.upsertJobScheduler(name, { every: every.ms }, { name, data: every.payload });
}

/**
 * Reschedules missing repeated jobs: Redis may have been emptied, or was unavailable at the start,
 * and they would never run again. Checks all of them in one round trip.
 */
export async function scheduleMissingJobs(
  broker: Broker,
  handlers: readonly Handler[],
  logger: Logger,
): Promise<void> {
  const repeated = handlers.filter(({ every }) => every !== undefined);
  const pipeline = broker.requests.pipeline();
  for (const handler of repeated) {
    const queue = await broker.queueOf(handler);
    pipeline.zscore(queue.toKey('repeat'), handler.name);
  }
  const answers = (await pipeline.exec()) ?? [];
  for (const [at, handler] of repeated.entries()) {
    const [error, score] = answers[at] ?? [];
    if (error) throw error;
    if (score !== null) continue;
    await scheduleJob(broker, handler);
    logger.warn(
      { job: handler.name },
      'a repeated job was missing in Redis, and was scheduled again',
    );
  }
}
