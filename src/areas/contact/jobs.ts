import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { dayMs, minuteMs } from '../../lib/durations.ts';
import type { Queues } from '../../platform/queues/queues.ts';
import type { Notices } from './notices.ts';
import type { Replies } from './replies.ts';
import type { ContactStore } from './store.ts';

/** Days until spam is deleted, and until any other message is, without a change. */
const retentionDays = { spam: 30, others: 730 };

/** The least time between two notices. */
const noticePauseMs = 10 * minuteMs;
const pauseKey = '{contact}:notice';

interface JobOptions {
  queues: Queues;
  store: ContactStore;
  notices: Notices;
  redis: Redis;
  clock: Clock;
}

/** Defines the daily job that deletes old messages. */
export const defineCleanup = ({ queues, store, clock }: Omit<JobOptions, 'notices' | 'redis'>) =>
  queues.defineJob({
    name: 'contact-cleanup',
    schema: z.strictObject({}),
    options: { every: { ms: dayMs, payload: {} } },
    process() {
      const before = (days: number) => new Date(clock.now() - days * dayMs);
      const { spam, others } = retentionDays;
      return store.deleteOld({ spam: before(spam), others: before(others) });
    },
  });

/** Defines the job that sends the replies whose process died before it could. */
export const defineUnsentReplies = (queues: Queues, replies: Pick<Replies, 'sendUnsent'>) =>
  queues.defineJob({
    name: 'contact-replies',
    schema: z.strictObject({}),
    options: { keepDone: false, every: { ms: minuteMs, payload: {} } },
    process: () => replies.sendUnsent(),
  });

/**
 * Defines the job that tells admins about new messages, at most once in ten minutes across all
 * replicas, and returns the function that asks for it. The job also runs every minute, for messages
 * that came during a pause.
 */
export function defineNotices({ queues, store, notices, redis }: Omit<JobOptions, 'clock'>) {
  const job = queues.defineJob({
    name: 'contact-notices',
    schema: z.strictObject({}),
    options: { keepDone: false, every: { ms: minuteMs, payload: {} } },
    async process() {
      if (!(await store.hasUnnoticed())) return;
      const isFree = await redis.set(pauseKey, '1', 'PX', noticePauseMs, 'NX');
      if (isFree === null) return;
      try {
        await notices.send();
      } catch (error) {
        await redis.del(pauseKey);
        throw error;
      }
    },
  });
  return () => job.add({});
}
