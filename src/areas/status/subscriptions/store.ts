import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

export interface Subscriber {
  id: string;
  email: string;
}

export interface SubscriberRecord extends Subscriber {
  created_at: Date;
  confirmed_at: Date | null;
}

/** All of a row, so that a removal can be undone. */
export interface RemovedSubscriber extends SubscriberRecord {
  confirm_hash: string | null;
  last_asked_at: Date;
}

/** Email subscribers, confirmed or not. */
export const subscriberStore = {
  /**
   * Records a request to subscribe an address. Returns the row's id when a confirmation may be
   * sent: it is not confirmed, and was not requested after `since`. Idempotent for one `askedAt`.
   */
  async request(
    db: Database,
    { id, email, askedAt, since }: { id: string; email: string; askedAt: Date; since: Date },
  ): Promise<string | undefined> {
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

  /** Stores the hash of the confirmation token. */
  async setConfirmHash(db: Database, id: string, hash: string): Promise<void> {
    await db
      .updateTable('status_subscribers')
      .set({ confirm_hash: hash })
      .where('id', '=', id)
      .execute();
  },

  /** Confirms a row by its hash, if it was requested after `since`. Idempotent. */
  async confirm(
    db: Database,
    { id, hash, since, now }: { id: string; hash: string; since: Date; now: Date },
  ): Promise<boolean> {
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

  /** Returns the deleted row; undefined when the subscriber does not exist. */
  async delete(db: Database, id: string): Promise<RemovedSubscriber | undefined> {
    return db
      .deleteFrom('status_subscribers')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
  },

  /** Inserts a deleted row again. Returns false when the address has subscribed again since. */
  async restore(db: Database, row: RemovedSubscriber): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('status_subscribers')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  /** Confirmed subscribers with an id after `after`, in order of id. */
  async page(db: Database, after: string, limit: number): Promise<Subscriber[]> {
    return db
      .selectFrom('status_subscribers')
      .select(['id', 'email'])
      .where('confirmed_at', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
  },

  /** All subscribers, newest first, older than the id `after`; or only those of `email`. */
  async list(
    db: Database,
    {
      email,
      after,
      limit,
    }: { email?: string | undefined; after?: string | undefined; limit: number },
  ): Promise<SubscriberRecord[]> {
    let query = db
      .selectFrom('status_subscribers')
      .select(['id', 'email', 'created_at', 'confirmed_at'])
      .orderBy('id', 'desc')
      .limit(limit);
    if (email !== undefined) query = query.where('email', '=', email);
    if (after !== undefined) query = query.where('id', '<', after);
    return query.execute();
  },

  async countConfirmed(db: Database): Promise<number> {
    const { count } = await db
      .selectFrom('status_subscribers')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('confirmed_at', 'is not', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  },

  /** Deletes unconfirmed subscribers whose last request was before `time`. */
  async deleteUnconfirmed(db: Database, time: Date): Promise<void> {
    await db
      .deleteFrom('status_subscribers')
      .where('confirmed_at', 'is', null)
      .where('last_asked_at', '<', time)
      .execute();
  },
};
