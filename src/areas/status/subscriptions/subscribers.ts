import { sql } from 'kysely';
import { cancellable, type Database } from '../../../platform/database/database.ts';

export interface Subscriber {
  id: string;
  email: string;
}

export interface SubscriberRecord extends Subscriber {
  created_at: Date;
  confirmed_at: Date | null;
}

/** Those who get updates by e-mail, and those who have asked to. */
export function createSubscriberStore(db: Database) {
  return {
    /**
     * Notes that an address asks to be subscribed. Gives the row's id when it may be sent a message
     * now: it is not confirmed, and has not asked since `since`. The same `askedAt` again gives the
     * same.
     */
    async ask({
      id,
      email,
      askedAt,
      since,
    }: {
      id: string;
      email: string;
      askedAt: Date;
      since: Date;
    }): Promise<string | undefined> {
      const row = await db
        .insertInto('status_subscribers')
        .values({
          id,
          email,
          created_at: askedAt,
          confirmed_at: null,
          confirm_hash: null,
          last_asked_at: askedAt,
        })
        .onConflict((conflict) =>
          conflict
            .column('email')
            .doUpdateSet({ last_asked_at: askedAt })
            .where('status_subscribers.confirmed_at', 'is', null)
            .where((where) =>
              where.or([
                where('status_subscribers.last_asked_at', '<=', since),
                where('status_subscribers.last_asked_at', '=', askedAt),
              ]),
            ),
        )
        .returning('id')
        .executeTakeFirst();
      return row?.id;
    },

    /** Notes the hash of what confirms it. */
    async setConfirmHash(id: string, hash: string): Promise<void> {
      await db
        .updateTable('status_subscribers')
        .set({ confirm_hash: hash })
        .where('id', '=', id)
        .execute();
    },

    /**
     * Confirms a row that has this hash and asked after `since`. True also when it was confirmed so
     * before.
     */
    async confirm({
      id,
      hash,
      since,
      now,
    }: {
      id: string;
      hash: string;
      since: Date;
      now: Date;
    }): Promise<boolean> {
      const row = await db
        .updateTable('status_subscribers')
        .set({ confirmed_at: sql<Date>`coalesce(confirmed_at, ${now})` })
        .where('id', '=', id)
        .where('confirm_hash', '=', hash)
        .where('last_asked_at', '>', since)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Whether there was one. In a transaction where one is given. */
    async delete(id: string, within: Database = db): Promise<boolean> {
      const { numDeletedRows } = await within
        .deleteFrom('status_subscribers')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** The next confirmed ones after `after`, by id. */
    async page(after: string, most: number): Promise<Subscriber[]> {
      return db
        .selectFrom('status_subscribers')
        .select(['id', 'email'])
        .where('confirmed_at', 'is not', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(most)
        .execute();
    },

    /**
     * Confirmed or not, newest first, after the id `after`; only those of the address `email` where
     * it is given.
     */
    async list(
      {
        email,
        after,
        most,
      }: { email?: string | undefined; after?: string | undefined; most: number },
      signal?: AbortSignal,
    ): Promise<SubscriberRecord[]> {
      let query = cancellable(db, signal)
        .selectFrom('status_subscribers')
        .select(['id', 'email', 'created_at', 'confirmed_at'])
        .orderBy('id', 'desc')
        .limit(most);
      if (email !== undefined) query = query.where('email', '=', email);
      if (after !== undefined) query = query.where('id', '<', after);
      return query.execute();
    },

    /** How many get updates. */
    async countConfirmed(signal?: AbortSignal): Promise<number> {
      const { count } = await cancellable(db, signal)
        .selectFrom('status_subscribers')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('confirmed_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Forgets those who asked before `time` and never confirmed. */
    async forgetUnconfirmed(time: Date): Promise<void> {
      await db
        .deleteFrom('status_subscribers')
        .where('confirmed_at', 'is', null)
        .where('last_asked_at', '<', time)
        .execute();
    },
  };
}

export type SubscriberStore = ReturnType<typeof createSubscriberStore>;
