import { type Selectable, sql } from 'kysely';
import { createBatcher } from '../../platform/database/batcher.ts';
import type { Database } from '../../platform/database/database.ts';
import { statementOver } from '../../platform/database/statement-over.ts';
import type { Credit, Source } from './tables.ts';
import type { Tables } from '../../platform/database/tables.ts';

export type EntryRow = Selectable<Tables['waitlist_entries']>;

export interface JoinRequest {
  /** For a new row. */
  id: string;
  email: string;
  mailbox: string;
  name: string | null;
  /** JSON. */
  metadata: string;
  source: Source;
  isDisposable: boolean;
  /** For a new row. */
  referralCode: string;
  referredBy: string | null;
  network: string | null;
  consentVersion: string;
  askedAt: Date;
  /** Mailboxes that were asked about after this time get no message. */
  since: Date;
  /** Mailboxes that got `max` messages get another only if the last was before this time. */
  longSince: Date;
  max: number;
}

export type AskedEntry = Pick<EntryRow, 'id' | 'email' | 'status' | 'approved_at'>;

const newRow = (join: JoinRequest) => ({
  id: join.id,
  email: join.email,
  mailbox: join.mailbox,
  name: join.name,
  metadata: join.metadata,
  status: 'pending' as const,
  source: join.source,
  is_disposable: join.isDisposable,
  referral_code: join.referralCode,
  referred_by: join.referredBy,
  credit: (join.referredBy === null ? 'none' : 'waiting') as Credit,
  network: join.network,
  consent_version: join.consentVersion,
  consent_at: join.askedAt,
  created_at: join.askedAt,
  updated_at: join.askedAt,
  last_asked_at: join.askedAt,
  asked: 1,
});

/** Keeps what a verified person entered; for a pending one the newest request counts. */
const whilePending = <Value>(column: keyof EntryRow, value = `excluded.${column}`) =>
  sql<Value>`case when waitlist_entries.status = 'pending' then ${sql.raw(value)}
    else waitlist_entries.${sql.ref(column)} end`;

const referrerOrNull = 'nullif(excluded.referred_by, waitlist_entries.id)';
const creditOfRequest = `case when ${referrerOrNull} is null then 'none' else 'waiting' end`;

async function requestEntry(db: Database, join: JoinRequest): Promise<AskedEntry | undefined> {
  const { askedAt, since, longSince, max } = join;
  return db
    .insertInto('waitlist_entries')
    .values(newRow(join))
    .onConflict((conflict) =>
      conflict
        .column('mailbox')
        .doUpdateSet({
          email: whilePending('email'),
          name: whilePending('name'),
          metadata: whilePending('metadata'),
          is_disposable: whilePending('is_disposable'),
          referred_by: whilePending('referred_by', referrerOrNull),
          credit: whilePending('credit', creditOfRequest),
          network: whilePending('network'),
          consent_version: whilePending('consent_version'),
          consent_at: whilePending('consent_at'),
          updated_at: whilePending('updated_at'),
          last_asked_at: askedAt,
          asked: sql`waitlist_entries.asked +
            case when waitlist_entries.last_asked_at = ${askedAt} then 0 else 1 end`,
        })
        .where((where) =>
          where.or([
            where.and([
              where('waitlist_entries.last_asked_at', '<=', since),
              where('waitlist_entries.asked', '<', max),
            ]),
            where('waitlist_entries.last_asked_at', '<=', longSince),
            where('waitlist_entries.last_asked_at', '=', askedAt),
          ]),
        ),
    )
    .returning(['id', 'email', 'status', 'approved_at'])
    .executeTakeFirst();
}

interface Confirmation {
  id: string;
  hash: string;
  network: string | null;
  since: Date;
  now: Date;
}

const confirmEntry = (
  within: Database,
  { id, hash, network, since, now }: Confirmation,
): Promise<EntryRow | undefined> =>
  within
    .updateTable('waitlist_entries')
    .set({
      status: 'verified',
      verified_at: now,
      verified_network: network,
      confirm_hash: null,
      asked: 0,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('confirm_hash', '=', hash)
    .where('status', '=', 'pending')
    .where('last_asked_at', '>', since)
    .returningAll()
    .executeTakeFirst();

const deleteEntry = (within: Database, id: string): Promise<EntryRow | undefined> =>
  within.deleteFrom('waitlist_entries').where('id', '=', id).returningAll().executeTakeFirst();

const joinedColumns = { email: 'text', mailbox: 'text', at: 'timestamptz' } as const;

/** Marks approved people as joined. New people who sign in at once share a statement. */
function createJoinedUpdates(db: Database) {
  const update = statementOver(
    db,
    joinedColumns,
    (given) => `
    update waitlist_entries set status = 'joined', joined_at = given.at, updated_at = given.at
    from ${given} where waitlist_entries.mailbox = given.mailbox
      and waitlist_entries.email = given.email and waitlist_entries.status = 'approved'`,
  );
  return createBatcher(async (joined: readonly { email: string; mailbox: string; at: Date }[]) => {
    await update(joined);
    return joined;
  });
}

/** People who join, verify and leave. */
export function createJoinStore(db: Database) {
  const joined = createJoinedUpdates(db);

  return {
    /**
     * Stores a request to join. Returns the mailbox's entry if a message may be sent to it now.
     * Repeating the call with the same `askedAt` gives the same result.
     */
    request: (join: JoinRequest) => requestEntry(db, join),

    /** Stores the hash of the token that verifies the address; earlier tokens stop working. */
    async setConfirmHash(id: string, hash: string, askedAt: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('waitlist_entries')
        .set({ confirm_hash: hash, last_asked_at: askedAt })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Verifies the address if it has this hash and was asked about after `since`. */
    confirm: confirmEntry,

    async idOfCode(code: string): Promise<string | undefined> {
      const query = db.selectFrom('waitlist_entries').select('id');
      return (await query.where('referral_code', '=', code).executeTakeFirst())?.id;
    },

    find: (id: string, within: Database = db): Promise<EntryRow | undefined> =>
      within.selectFrom('waitlist_entries').selectAll().where('id', '=', id).executeTakeFirst(),

    /** The entry with this address, not another address of its mailbox. */
    findByEmail: (email: string, mailbox: string): Promise<EntryRow | undefined> =>
      db
        .selectFrom('waitlist_entries')
        .selectAll()
        .where('mailbox', '=', mailbox)
        .where('email', '=', email)
        .executeTakeFirst(),

    delete: deleteEntry,

    /** Marks an approved person as joined. */
    setJoined: (email: string, mailbox: string, at: Date): Promise<unknown> =>
      joined.add({ email, mailbox, at }),

    /** Deletes unverified entries that were last asked about before `time`. */
    async deleteUnverified(time: Date): Promise<void> {
      await db
        .deleteFrom('waitlist_entries')
        .where('status', '=', 'pending')
        .where('last_asked_at', '<', time)
        .execute();
    },
  };
}

export type JoinStore = ReturnType<typeof createJoinStore>;
