import { dayMs, minuteMs } from '../../lib/durations.ts';
import type { ContactParts } from './compose.ts';
import { createSendNotice } from './notices.ts';
import type { Replies } from './replies.ts';

/** Days until spam is deleted, and until any other message is, without a change. */
const retentionDays = { spam: 30, others: 730 };

/** The least time between two notices. */
const noticePauseMs = 10 * minuteMs;
const pauseKey = '{contact}:notice';

/** Defines the daily job that deletes old messages. */
export const defineCleanup = ({ queues, store, clock }: ContactParts) =>
  queues.every('contact-cleanup', dayMs, () => {
    const before = (days: number) => new Date(clock.now() - days * dayMs);
    const { spam, others } = retentionDays;
    return store.deleteOld({ spam: before(spam), others: before(others) });
  });

/** Defines the job that sends the replies whose process died before it could. */
export const defineUnsentReplies = ({ queues }: ContactParts, replies: Replies) =>
  queues.every('contact-replies', minuteMs, () => replies.sendUnsent(), { keepDone: false });

/**
 * Defines the job that tells admins about new messages, at most once in ten minutes across all
 * replicas, and returns the function that asks for it. The job also runs every minute, for messages
 * that came during a pause.
 */
export function defineNotices(parts: ContactParts) {
  const { queues, store, redis } = parts;
  const sendNotice = createSendNotice(parts);
  const job = queues.every('contact-notices', minuteMs, notify, { keepDone: false });
  return () => job.add({});

  async function notify(): Promise<void> {
    if (!(await store.hasUnnoticed())) return;
    const isFree = await redis.set(pauseKey, '1', 'PX', noticePauseMs, 'NX');
    if (isFree === null) return;
    try {
      await sendNotice();
    } catch (error) {
      await redis.del(pauseKey);
      throw error;
    }
  }
}
