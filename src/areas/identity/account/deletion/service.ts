import { dayMs } from '../../../../lib/durations.ts';
import type { RequestOrigin } from '../../../../platform/http/requests/request-origin.ts';
import { type RequestActor, userActor } from '../../../../platform/http/requests/request-actor.ts';
import { formatDate } from '../../../../platform/i18n/dates.ts';
import type { Session } from '../../sessions/service.ts';
import { userErrors } from '../../users/errors.ts';
import type { AccountParts } from '../context.ts';
import { accountErrors } from '../errors.ts';
import { recipientOf } from '../notices.ts';
import { texts } from '../texts/en.ts';
import type { Erasure } from './erasure.ts';

/** How long a user can change their mind. */
const graceDays = 14;

/** Users delete their account, and change their mind. */
export function createDeletions(
  { deletions, users, sessions, secondFactor, audit, notices, clock }: AccountParts,
  eraseOne: Erasure['eraseOne'],
) {
  return {
    /**
     * Schedules the deletion in 14 days, and ends the other sessions, so that none of them can
     * cancel it. Repeating it changes nothing. Throws `account.last_admin`,
     * `second_factor.aal2_required`.
     */
    async request(session: Session, from: RequestOrigin): Promise<Date> {
      const { userId, id } = session;
      await secondFactor.requireSecondFactor(session);
      const outcome = await deletions.request(userId, new Date(clock.now() + graceDays * dayMs));
      if (outcome === undefined) throw userErrors.not_found();
      if (outcome === 'last_admin') throw accountErrors.last_admin();
      const { dueAt, isNew } = outcome;
      await sessions.endAll(userId, id);
      if (!isNew) return dueAt;
      await record('user.deletion_requested', userId, from);
      const { headline, body } = texts.deletionRequested;
      await tell(
        userId,
        { headline, body: body({ date: formatDate(dueAt) }) },
        'deletion-requested',
      );
      return dueAt;
    },

    /**
     * Deletes a user at once, with their data, for an admin. Should the process die, the hourly job
     * does the rest. Throws `users.not_found`, `users.last_admin`.
     */
    async deleteNow(userId: string, by: RequestActor): Promise<void> {
      const outcome = await deletions.request(userId, new Date(clock.now()));
      if (outcome === undefined) throw userErrors.not_found();
      if (outcome === 'last_admin') throw userErrors.last_admin();
      const target = { kind: 'user', id: userId };
      await audit.record({ action: 'user.deletion_requested', ...by, target });
      await eraseOne(userId);
    },

    /** Keeps the account. Throws `second_factor.aal2_required`. */
    async cancel(session: Session, from: RequestOrigin): Promise<void> {
      await secondFactor.requireSecondFactor(session);
      if (!(await deletions.cancel(session.userId))) return;
      await record('user.deletion_canceled', session.userId, from);
      await tell(session.userId, texts.deletionCanceled, 'deletion-canceled');
    },
  };

  async function tell(
    userId: string,
    text: { headline: string; body: string },
    event: string,
  ): Promise<void> {
    const { identities } = await users.get(userId);
    await notices.trySend(recipientOf(identities), text, `${event}:${userId}:${clock.now()}`);
  }

  async function record(
    action: 'user.deletion_requested' | 'user.deletion_canceled',
    userId: string,
    from: RequestOrigin,
  ): Promise<void> {
    const target = { kind: 'user', id: userId };
    await audit.record({ action, ...userActor(userId, from), target });
  }
}
