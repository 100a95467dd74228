import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { ContactStatus } from './statuses.ts';
import type { Tables } from '../../platform/database/tables.ts';

export type ContactMessage = Selectable<Tables['contact_messages']>;
export type ContactReply = Selectable<Tables['contact_replies']>;
export type ContactNote = Selectable<Tables['contact_notes']>;

/** Maximum number of rows that are deleted in one statement. */
const deletedAtOnce = 1000;

/** Reads of replies and notes. */
function createThreadReads(db: Database) {
  return {
    find: (id: string): Promise<ContactMessage | undefined> =>
      db.selectFrom('contact_messages').selectAll().where('id', '=', id).executeTakeFirst(),

    replies: (id: string): Promise<ContactReply[]> =>
      db
        .selectFrom('contact_replies')
        .selectAll()
        .where('message_id', '=', id)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    notes: (id: string): Promise<ContactNote[]> =>
      db
        .selectFrom('contact_notes')
        .selectAll()
        .where('message_id', '=', id)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
  };
}

/** Replies, and their delivery. */
function createReplyStore(db: Database) {
  return {
    async addReply(within: Database, reply: Insertable<Tables['contact_replies']>): Promise<void> {
      await within.insertInto('contact_replies').values(reply).execute();
    },

    /** Returns false when the reply has a delivery already, or is gone. */
    async setDelivery(within: Database, id: string, deliveryId: string): Promise<boolean> {
      const { numUpdatedRows } = await within
        .updateTable('contact_replies')
        .set({ delivery_id: deliveryId })
        .where('id', '=', id)
        .where('delivery_id', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** At most a hundred replies without a delivery that were stored before `time`. */
    unsentReplies: (time: Date): Promise<ContactReply[]> =>
      db
        .selectFrom('contact_replies')
        .selectAll()
        .where('delivery_id', 'is', null)
        .where('created_at', '<', time)
        .orderBy('id')
        .limit(100)
        .execute(),

    /**
     * Removes a reply whose email could not be queued. Returns false when it has a delivery, or is
     * gone.
     */
    async removeUnsent(within: Database, id: string): Promise<boolean> {
      const { numDeletedRows } = await within
        .deleteFrom('contact_replies')
        .where('id', '=', id)
        .where('delivery_id', 'is', null)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

/** Replies and notes, and what they change in their message. */
function createThreadStore(db: Database) {
  return {
    ...createThreadReads(db),
    ...createReplyStore(db),

    async addNote(within: Database, note: Insertable<Tables['contact_notes']>): Promise<void> {
      await within.insertInto('contact_notes').values(note).execute();
    },

    async setStatus(
      within: Database,
      id: string,
      { status, at }: { status: ContactStatus; at: Date },
    ): Promise<void> {
      await within
        .updateTable('contact_messages')
        .set({ status, status_at: at, updated_at: at })
        .where('id', '=', id)
        .execute();
    },

    async touch(within: Database, id: string, at: Date): Promise<void> {
      await within
        .updateTable('contact_messages')
        .set({ updated_at: at })
        .where('id', '=', id)
        .execute();
    },

    /** Sets a message back to the status that it had. */
    async restore(
      within: Database,
      { id, status, status_at, updated_at }: ContactMessage,
    ): Promise<void> {
      await within
        .updateTable('contact_messages')
        .set({ status, status_at, updated_at })
        .where('id', '=', id)
        .execute();
    },
  };
}

/** Messages that no notice was sent about. */
function createNoticeStore(db: Database) {
  return {
    async hasUnnoticed(): Promise<boolean> {
      const row = await db
        .selectFrom('contact_messages')
        .select('id')
        .where('noticed_at', 'is', null)
        .where('status', '=', 'new')
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Marks all of them, and returns them, oldest first. */
    async takeUnnoticed(at: Date): Promise<ContactMessage[]> {
      const rows = await db
        .updateTable('contact_messages')
        .set({ noticed_at: at })
        .where('noticed_at', 'is', null)
        .where('status', '=', 'new')
        .returningAll()
        .execute();
      return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    /** Undoes `takeUnnoticed`, because no notice could be queued. */
    async returnUnnoticed(ids: readonly string[]): Promise<void> {
      await db
        .updateTable('contact_messages')
        .set({ noticed_at: null })
        .where(sql<boolean>`id = any(${ids}::uuid[])`)
        .execute();
    },
  };
}

/** Messages from the contact form in SQL. */
export function createContactStore(db: Database) {
  /** Deletes some messages. Returns how many. */
  async function deleteSome(condition: ReturnType<typeof sql<boolean>>): Promise<number> {
    const { numAffectedRows } = await sql`delete from contact_messages where id in (
      select id from contact_messages where ${condition} limit ${deletedAtOnce})`.execute(db);
    return Number(numAffectedRows ?? 0n);
  }
  const deleteAll = async (condition: ReturnType<typeof sql<boolean>>): Promise<void> => {
    while ((await deleteSome(condition)) === deletedAtOnce);
  };

  return {
    ...createThreadStore(db),
    ...createNoticeStore(db),

    async add(message: Insertable<Tables['contact_messages']>): Promise<void> {
      await db.insertInto('contact_messages').values(message).execute();
    },

    /** How many messages have each status. */
    async countByStatus(): Promise<ReadonlyMap<ContactStatus, number>> {
      const rows = await db
        .selectFrom('contact_messages')
        .select(['status', ({ fn }) => fn.countAll<string>().as('count')])
        .groupBy('status')
        .execute();
      return new Map(rows.map(({ status, count }) => [status, Number(count)]));
    },

    /** Deletes spam that is older than one time, and all that is unchanged since another. */
    async deleteOld({ spam, others }: { spam: Date; others: Date }): Promise<void> {
      await deleteAll(sql<boolean>`status = 'spam' and status_at < ${spam}`);
      await deleteAll(sql<boolean>`updated_at < ${others}`);
    },
  };
}

export type ContactStore = ReturnType<typeof createContactStore>;
