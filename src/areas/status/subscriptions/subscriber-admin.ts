import type { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import type { Audit, AuditActor } from '../../audit/service.ts';
import { statusErrors } from '../errors.ts';
import type { SubscriberListQuery, SubscriberPage } from './schemas.subscribers.ts';
import type { SubscriberStore } from './subscribers.ts';
import { pageById } from '../../../lib/keyset-page.ts';

export interface SubscriberAdminDeps {
  db: Database;
  store: SubscriberStore;
  audit: Pick<Audit, 'recordIn'>;
}

/** What admins do with those who get updates by e-mail. */
export function createSubscriberAdmin({ db, store, audit }: SubscriberAdminDeps) {
  return {
    async list(
      { email, limit, cursor }: z.output<typeof SubscriberListQuery>,
      signal?: AbortSignal,
    ): Promise<z.output<typeof SubscriberPage>> {
      const [found, total] = await Promise.all([
        store.list({ email: email?.toLowerCase(), after: cursor, most: limit + 1 }, signal),
        store.countConfirmed(signal),
      ]);
      const shown = found.map(
        ({ id, email: address, created_at: asked, confirmed_at: confirmed }) => ({
          id,
          email: address,
          created_at: asked.toISOString(),
          confirmed_at: confirmed?.toISOString() ?? null,
        }),
      );
      return { ...pageById(shown, limit), total };
    },

    /**
     * Forgets an address. The audit log says that, not which one. Throws
     * `status.subscriber_not_found`.
     */
    async delete(id: string, by: AuditActor): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        if (!(await store.delete(id, transaction))) throw statusErrors.subscriber_not_found();
        await audit.recordIn(transaction, [
          { ...by, action: 'status.subscriber_removed', target: { kind: 'status_subscriber', id } },
        ]);
      });
    },
  };
}

export type SubscriberAdmin = ReturnType<typeof createSubscriberAdmin>;
