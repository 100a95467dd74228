import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { EntryRow } from '../store.ts';
import type { EntryStatus } from '../tables.ts';

export interface NewEntry {
  id: string;
  email: string;
  mailbox: string;
  name: string | null;
  isDisposable: boolean;
  referralCode: string;
  createdAt: Date;
  /** Set for an address that an admin marks as verified, with the reason. */
  verified: { at: Date; because: string } | undefined;
}

const toRow = ({ verified, createdAt, isDisposable, referralCode, ...entry }: NewEntry) => ({
  ...entry,
  status: verified === undefined ? ('pending' as const) : ('verified' as const),
  source: 'import' as const,
  is_disposable: isDisposable,
  referral_code: referralCode,
  credit: 'none' as const,
  verified_at: verified?.at ?? null,
  verified_because: verified?.because ?? null,
  created_at: createdAt,
  updated_at: createdAt,
  last_asked_at: createdAt,
  asked: verified === undefined ? 1 : 0,
});

interface Decision {
  ids: readonly string[];
  from: readonly EntryStatus[];
  now: Date;
}

const uuids = (ids: readonly string[]) =>
  sql<string>`(select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;

/** What admins do with entries. Every call runs in the caller's transaction. */
export const entryStore = {
  /** Stores entries whose mailbox is new. Returns the stored ones. */
  insert: (within: Database, entries: readonly NewEntry[]): Promise<EntryRow[]> =>
    within
      .insertInto('waitlist_entries')
      .values(entries.map(toRow))
      .onConflict((conflict) => conflict.column('mailbox').doNothing())
      .returningAll()
      .execute(),

  /** Deletes entries that were just added and not verified. */
  async withdraw(within: Database, ids: readonly string[]): Promise<void> {
    await within
      .deleteFrom('waitlist_entries')
      .where('id', 'in', uuids(ids))
      .where('status', '=', 'pending')
      .execute();
  },

  /** Of these, or of all who wait, how many have a disposable mailbox and could be approved. */
  async countDisposable(
    within: Database,
    { ids, from }: { ids?: readonly string[]; from: readonly EntryStatus[] },
  ): Promise<number> {
    const query = within
      .selectFrom('waitlist_entries')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('is_disposable', '=', true)
      .where('status', 'in', from)
      .where('verified_at', 'is not', null);
    const chosen = ids === undefined ? query : query.where('id', 'in', uuids(ids));
    return Number((await chosen.executeTakeFirstOrThrow()).count);
  },

  /**
   * Approves those of the entries that are verified; those with a disposable mailbox only with
   * `withDisposable`. Returns those that it has changed.
   */
  approve: (
    within: Database,
    {
      ids,
      from,
      now,
      batch,
      withDisposable,
    }: Decision & { batch: string; withDisposable: boolean },
  ): Promise<EntryRow[]> =>
    within
      .updateTable('waitlist_entries')
      .set({
        status: 'approved',
        approved_at: now,
        denied_at: null,
        batch_id: batch,
        invited_at: null,
        asked: 0,
        updated_at: now,
      })
      .where('id', 'in', uuids(ids))
      .where('status', 'in', from)
      .where('verified_at', 'is not', null)
      .where('is_disposable', 'in', withDisposable ? [true, false] : [false])
      .returningAll()
      .execute(),

  /**
   * Approves the people who are next, without disposable mailboxes. Two calls at once never approve
   * the same person.
   */
  approveNext: async (
    within: Database,
    { count, batch, now }: { count: number; batch: string; now: Date },
  ): Promise<EntryRow[]> => {
    const { rows } = await sql<EntryRow>`
      with chosen as (select id from waitlist_entries where status = 'verified'
        and not is_disposable
        order by score desc, verified_at, id limit ${count} for update skip locked)
      update waitlist_entries as e set status = 'approved', approved_at = ${now},
        batch_id = ${batch}, invited_at = null, asked = 0, updated_at = ${now}
      from chosen where e.id = chosen.id and e.status = 'verified' returning e.*`.execute(within);
    return rows;
  },

  /** Denies these entries and withdraws the credit for referring them. */
  deny: async (within: Database, { ids, from, now }: Decision): Promise<EntryRow[]> => {
    const { rows } = await sql<EntryRow>`update waitlist_entries set status = 'denied',
        denied_at = ${now}, confirm_hash = null, updated_at = ${now},
        credit = case when referred_by is null then credit else 'withheld' end,
        credit_reasons = case when referred_by is null then credit_reasons
          else array_append(array_remove(credit_reasons, 'denied'), 'denied') end
      where id in ${uuids(ids)}
        and status in (select jsonb_array_elements_text(${JSON.stringify(from)}::jsonb))
      returning *`.execute(within);
    return rows;
  },

  update: (
    within: Database,
    id: string,
    changes: { name?: string | null; metadata?: string; updated_at: Date },
  ): Promise<EntryRow | undefined> =>
    within
      .updateTable('waitlist_entries')
      .set(changes)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
};

/** A batch, and how many of its people were sent the invitation. */
export interface BatchRow {
  id: string;
  size: number;
  left_out: number;
  invited: number;
  created_at: Date;
}

/** Batches of approved people, and who of them still waits for the invitation. */
export const batchStore = {
  async add(within: Database, batch: Omit<BatchRow, 'invited'>): Promise<void> {
    await within.insertInto('waitlist_batches').values(batch).execute();
  },

  /** Without an id: the newest batch. */
  async find(db: Database, id?: string): Promise<BatchRow | undefined> {
    const which =
      id === undefined ? sql`order by b.created_at desc limit 1` : sql`where b.id = ${id}`;
    const { rows } = await sql<BatchRow>`
      select b.*, (select count(*)::int from waitlist_entries e
        where e.batch_id = b.id and e.invited_at is not null) as invited
      from waitlist_batches b ${which}`.execute(db);
    return rows[0];
  },

  /** Approved people without an invitation, of a batch or of all. */
  uninvited(db: Database, batch: string | null, limit: number): Promise<EntryRow[]> {
    const query = db
      .selectFrom('waitlist_entries')
      .selectAll()
      .where('status', '=', 'approved')
      .where('invited_at', 'is', null)
      .limit(limit);
    return (batch === null ? query : query.where('batch_id', '=', batch)).execute();
  },

  async setInvited(db: Database, ids: readonly string[], now: Date): Promise<void> {
    await db
      .updateTable('waitlist_entries')
      .set({ invited_at: now })
      .where('id', 'in', uuids(ids))
      .execute();
  },
};
