import { minuteMs } from '../../../lib/durations.ts';
import type { SessionParts } from './context.ts';

/**
 * Ends the sessions of the review account once REVIEW_UNTIL has passed, by a job every ten minutes.
 */
export function createReviewSessions({ review, users, sessions, queues }: SessionParts) {
  queues.every('review-account', 10 * minuteMs, endIfOver, { keepDone: false });
  return { endIfOver };

  async function endIfOver(): Promise<void> {
    const { identity } = review;
    if (identity === undefined || !review.isOver()) return;
    const owner = await users.ownerOf(identity);
    if (owner !== undefined) await sessions.endAll(owner.id);
  }
}
