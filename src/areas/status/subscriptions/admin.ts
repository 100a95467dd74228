import type { z } from 'zod';
import { cancellable } from '../../../platform/database/database.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { StatusParts } from '../context.ts';
import { statusErrors } from '../errors.ts';
import type { SubscriberListQuery, SubscriberPage } from './schemas.ts';
import { type RemovedSubscriber, subscriberStore } from './store.ts';
import { emailKey } from '../../../lib/identifiers.ts';
import { pageById } from '../../../lib/keyset-page.ts';

/** Lists and deletes email subscribers, for admins. */
export function createSubscriberAdmin({ db, audit }: Pick<StatusParts, 'db' | 'audit'>) {
  return {
    async list(
      { email, limit, cursor }: z.output<typeof SubscriberListQuery>,
      signal?: AbortSignal,
    ): Promise<z.output<typeof SubscriberPage>> {
      const reads = cancellable(db, signal);
      const range = {
        email: email === undefined ? undefined : emailKey(email),
        after: cursor,
        limit: limit + 1,
      };
      const [found, total] = await Promise.all([
        subscriberStore.list(reads, range),
        subscriberStore.countConfirmed(reads),
      ]);
      const views = found.map(
        ({ id, email: address, created_at: created, confirmed_at: confirmed }) => ({
          id,
          email: address,
          created_at: created.toISOString(),
          confirmed_at: confirmed?.toISOString() ?? null,
        }),
      );
      return { ...pageById(views, limit), total };
    },

    /**
     * Deletes a subscriber, and returns what `restore` takes. The audit entry has only the id, no
     * address. Throws `status.subscriber_not_found`.
     */
    delete: (id: string, by: AuditActor): Promise<RemovedSubscriber> =>
      db.transaction().execute(async (transaction) => {
        const removed = await subscriberStore.delete(transaction, id);
        if (removed === undefined) throw statusErrors.subscriber_not_found();
        await audit.recordIn(transaction, [
          { ...by, action: 'status.subscriber_removed', target: { kind: 'status_subscriber', id } },
        ]);
        return removed;
      }),

    /**
     * Undoes a removal: links in earlier emails work again. Does nothing if the address has
     * subscribed again since.
     */
    restore: (removed: RemovedSubscriber, by: AuditActor): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        if (!(await subscriberStore.restore(transaction, removed))) return;
        const target = { kind: 'status_subscriber', id: removed.id };
        const action = 'status.subscriber_restored';
        await audit.recordIn(transaction, [{ ...by, action, target }]);
      }),
  };
}
