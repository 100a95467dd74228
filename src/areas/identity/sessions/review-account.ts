import { z } from 'zod';
import { minuteMs } from '../../../lib/durations.ts';
import type { Queues } from '../../../platform/queues/queues.ts';
import type { Sessions } from './service.ts';
import type { User, VerifiedIdentity } from '../users/model.ts';
import type { ReviewAccount } from '../users/policies/review-account.ts';

type OwnerOf = (identity: Pick<VerifiedIdentity, 'kind' | 'key'>) => Promise<User | undefined>;

/**
 * Ends the sessions of the review account once REVIEW_UNTIL has passed, by a job every ten minutes.
 */
export function createReviewSessions({
  review,
  users,
  sessions,
  queues,
}: {
  review: Pick<ReviewAccount, 'identity' | 'isOver'>;
  users: { ownerOf: OwnerOf };
  sessions: Pick<Sessions, 'endAll'>;
  queues: Queues;
}) {
  queues.defineJob({
    name: 'review-account',
    schema: z.strictObject({}),
    options: { keepDone: false, every: { ms: 10 * minuteMs, payload: {} } },
    process: endIfOver,
  });
  return { endIfOver };

  async function endIfOver(): Promise<void> {
    const { identity } = review;
    if (identity === undefined || !review.isOver()) return;
    const owner = await users.ownerOf(identity);
    if (owner !== undefined) await sessions.endAll(owner.id);
  }
}
