import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/database.ts';
import type { Person, PersonalRows } from '../../../../platform/database/personal-data.ts';
import type { AccountResources } from '../context.ts';
import { hasOtherAdmin, isActingAdmin, lockAccess } from '../../users/access/store.ts';

/** The user's row, locked until the transaction ends. */
const lockUser = (within: Database, userId: string) =>
  within
    .selectFrom('users')
    .select(['roles', 'disabled_at', 'deletion_due_at'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();

type LockedUser = NonNullable<Awaited<ReturnType<typeof lockUser>>>;

/** Whether nobody else can act as an admin and stays. The caller holds the lock on access. */
async function isLastAdmin(within: Database, userId: string, user: LockedUser): Promise<boolean> {
  if (!isActingAdmin({ roles: user.roles, disabledAt: user.disabled_at })) return false;
  return !(await hasOtherAdmin(within, userId));
}

const setDue = (within: Database, userId: string, at: Date | null) =>
  within.updateTable('users').set({ deletion_due_at: at }).where('id', '=', userId).execute();

async function empty(
  within: Database,
  { table, of, onDeletion }: PersonalRows,
  person: Person,
): Promise<void> {
  if (onDeletion.action === 'delete') {
    const goes = onDeletion.of ?? of;
    await sql`delete from ${sql.table(table)} where ${goes(person)}`.execute(within);
  }
  if (onDeletion.action !== 'clear') return;
  const changes = Object.entries(onDeletion.set).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  );
  await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${of(person)}`.execute(
    within,
  );
}

/** What a deletion does within its transaction. */
interface Erasing {
  now: Date;
  /** Finds what names the user, and what is left to do once the transaction has committed. */
  prepare: (within: Database) => Promise<{ person: Person; sealed: string }>;
  /** Writes the audit entry of the outcome. */
  record: (within: Database, outcome: 'deleted' | 'last_admin') => Promise<unknown>;
}

/** Deletions of accounts in SQL. */
export function createDeletionStore({ db, personalData }: AccountResources) {
  return {
    /**
     * Notes when the account is to be deleted, unless an earlier time is noted already. The lock on
     * access lets only one of two last admins leave.
     */
    request: (
      userId: string,
      dueAt: Date,
    ): Promise<{ dueAt: Date; isNew: boolean } | 'last_admin' | undefined> =>
      db.transaction().execute(async (within) => {
        await lockAccess(within);
        const user = await lockUser(within, userId);
        if (user === undefined) return undefined;
        const noted = user.deletion_due_at;
        if (noted !== null && noted <= dueAt) return { dueAt: noted, isNew: false };
        if (await isLastAdmin(within, userId, user)) return 'last_admin';
        await setDue(within, userId, dueAt);
        return { dueAt, isNew: true };
      }),

    /** Cancels the deletion. False when none was requested. */
    async cancel(userId: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('users')
        .set({ deletion_due_at: null })
        .where('id', '=', userId)
        .where('deletion_due_at', 'is not', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** The ids of at most `limit` users whose deletion is due. */
    async due(now: Date, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('users')
        .select('id')
        .where('deletion_due_at', '<=', now)
        .orderBy('deletion_due_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /**
     * Deletes a user whose deletion is due, and empties what refers to them, in one transaction.
     * `undefined` when it is no longer due: canceled, or deleted by another replica. The last
     * admin is kept.
     */
    erase: (userId: string, { now, prepare, record }: Erasing) =>
      db.transaction().execute(async (within) => {
        await lockAccess(within);
        const user = await lockUser(within, userId);
        if (user?.deletion_due_at == null || user.deletion_due_at > now) return undefined;
        if (await isLastAdmin(within, userId, user)) {
          await setDue(within, userId, null);
          await record(within, 'last_admin');
          return 'last_admin';
        }
        const { person, sealed } = await prepare(within);
        for (const { rows } of personalData)
          for (const each of rows) await empty(within, each, person);
        await within
          .insertInto('account_erasures')
          .values({ id: userId, sealed, erased_at: now })
          .execute();
        await record(within, 'deleted');
        return 'deleted';
      }),

    /** Deleted users for whom something is left to do: all, or the one with `userId`. */
    unfinished: ({ limit, userId }: { limit: number; userId?: string }) =>
      db
        .selectFrom('account_erasures')
        .select(['id', 'sealed'])
        .$if(userId !== undefined, (query) => query.where('id', '=', userId ?? ''))
        .limit(limit)
        .execute(),

    async finish(userId: string): Promise<void> {
      await db.deleteFrom('account_erasures').where('id', '=', userId).execute();
    },
  };
}

export type DeletionStore = ReturnType<typeof createDeletionStore>;
