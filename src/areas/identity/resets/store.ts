import { type Selectable, sql } from 'kysely';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { lockAccess, otherAdmins } from '../users/access/store.ts';

export type FactorReset = Selectable<Tables['factor_resets']>;
export type ResetState = FactorReset['state'];

/** Why a reset was canceled. */
export type CancelReason =
  'admin' | 'user' | 'link' | 'factor_used' | 'admin_lost' | 'user_disabled';

/** Writes the audit entries of a change, within its transaction. */
export type RecordReset = (within: Database, reset: FactorReset) => Promise<unknown>;

const open = ['requested', 'approved', 'completing'] as const;
/** States in which a reset can still be stopped. */
const cancelable = ['requested', 'approved'] as const;

/** Whether the user is an admin and not disabled. The caller holds the lock on access. */
export async function isAdmin(within: Database, userId: string | null): Promise<boolean> {
  if (userId === null) return false;
  const row = await within
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .where(sql<boolean>`'admin' = any(roles)`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasFactor(within: Database, userId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from totp_factors where user_id = ${userId} and verified_at is not null)
      or exists (select from passkeys where user_id = ${userId}) as has`.execute(within);
  return rows[0]?.has === true;
}

/** Whether the user has used or added a factor since the reset was requested. */
export async function hasUsedFactor(
  within: Database,
  { user_id: userId, requested_at: since }: FactorReset,
): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from totp_factors where user_id = ${userId}
        and (last_used_at > ${since} or verified_at > ${since}))
      or exists (select from passkeys where user_id = ${userId}
        and (last_used_at > ${since} or created_at > ${since}))
      or exists (select from backup_codes where user_id = ${userId}
        and (used_at > ${since} or created_at > ${since})) as has`.execute(within);
  return rows[0]?.has === true;
}

/** Undefined for no user. */
export async function isDisabled(within: Database, userId: string): Promise<boolean | undefined> {
  const query = within.selectFrom('users').select('disabled_at').where('id', '=', userId);
  const row = await query.executeTakeFirst();
  return row === undefined ? undefined : row.disabled_at !== null;
}

/** The open reset of a user, locked until the transaction ends. */
export const lockOpen = (within: Database, userId: string): Promise<FactorReset | undefined> =>
  within
    .selectFrom('factor_resets')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', 'in', open)
    .forUpdate()
    .executeTakeFirst();

/** Moves a locked reset to another state. */
export const moveReset = (
  within: Database,
  { id }: Pick<FactorReset, 'id'>,
  set: Partial<FactorReset> & { state: ResetState; changed_at: Date },
): Promise<FactorReset> =>
  within
    .updateTable('factor_resets')
    .set(set)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Adds a reset. Undefined when one of the user is open. */
export const insertReset = (
  within: Database,
  reset: FactorReset,
): Promise<FactorReset | undefined> =>
  within
    .insertInto('factor_resets')
    .values(reset)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** How many resets of a user were requested since then. */
export async function countSince(within: Database, userId: string, since: Date): Promise<number> {
  const { count } = await within
    .selectFrom('factor_resets')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('requested_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Takes the factors of a user away. Returns which kinds there were. */
async function removeFactors(within: Database, userId: string): Promise<string[]> {
  const kinds = [
    ['totp', 'totp_factors'],
    ['passkey', 'passkeys'],
    ['backup_code', 'backup_codes'],
  ] as const;
  const removed: string[] = [];
  for (const [method, table] of kinds) {
    const { numDeletedRows } = await within
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (numDeletedRows > 0n) removed.push(method);
  }
  return removed;
}

/** Resets of second factors in SQL. */
export function createResetStore(db: Database) {
  return {
    /** The open or else the last reset of a user. */
    latest: (userId: string): Promise<FactorReset | undefined> =>
      db
        .selectFrom('factor_resets')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),

    async hasOpen(userId: string): Promise<boolean> {
      const row = await db
        .selectFrom('factor_resets')
        .select('id')
        .where('user_id', '=', userId)
        .where('state', 'in', open)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** At most `limit` open resets, newest first. */
    listOpen: (limit: number, signal?: AbortSignal): Promise<FactorReset[]> =>
      cancellable(db, signal)
        .selectFrom('factor_resets')
        .selectAll()
        .where('state', 'in', open)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /**
     * Resets that are due, oldest first: approved ones, or those that were begun and not finished.
     * Only if everybody was told of the approval.
     */
    waiting: (state: 'approved' | 'completing', now: Date, limit: number): Promise<FactorReset[]> =>
      db
        .selectFrom('factor_resets')
        .selectAll()
        .where('state', '=', state)
        .where('told', '=', 'approved')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .execute(),

    /** Resets of whose state not everybody was told, of at least `before`. */
    untold: (before: Date, limit: number): Promise<FactorReset[]> =>
      db
        .selectFrom('factor_resets')
        .selectAll()
        .where(sql<boolean>`told is distinct from state`)
        .where('state', '<>', 'completing')
        .where('changed_at', '<=', before)
        .orderBy('changed_at')
        .limit(limit)
        .execute(),

    removeFactors,

    /** Runs a change under the lock on access, which comes before all locks of rows. */
    underLock: <Result>(change: (within: Database) => Promise<Result>): Promise<Result> =>
      db.transaction().execute(async (within) => {
        await lockAccess(within);
        return change(within);
      }),

    /** The ids of the other admins. */
    otherAdmins: (userId: string): Promise<string[]> => otherAdmins(db, userId),

    /** Within `underLock`: how many others are admins. */
    countOtherAdmins: async (within: Database, userId: string): Promise<number> =>
      (await otherAdmins(within, userId)).length,

    /** Cancels the open reset of a user or of a link. Undefined when there is none. */
    cancel: (
      which: { user_id: string } | { token_hash: string },
      set: { changed_at: Date; canceled_by: string | null; cancel_reason: CancelReason },
      record: RecordReset,
    ): Promise<FactorReset | undefined> =>
      db.transaction().execute(async (within) => {
        const [column, value] =
          'user_id' in which
            ? (['user_id', which.user_id] as const)
            : (['token_hash', which.token_hash] as const);
        const canceled = await within
          .updateTable('factor_resets')
          .set({ ...set, state: 'canceled' })
          .where(column, '=', value)
          .where('state', 'in', cancelable)
          .returningAll()
          .executeTakeFirst();
        if (canceled !== undefined) await record(within, canceled);
        return canceled;
      }),

    /** Ends requests that nobody has approved in time. */
    expire: (now: Date, record: RecordReset): Promise<FactorReset[]> =>
      db.transaction().execute(async (within) => {
        const expired = await within
          .updateTable('factor_resets')
          .set({ state: 'expired', changed_at: now })
          .where('state', '=', 'requested')
          .where('expires_at', '<=', now)
          .returningAll()
          .execute();
        for (const reset of expired) await record(within, reset);
        return expired;
      }),

    /** Notes that everybody was told of this state, unless it has changed since. */
    async markTold({ id, state }: Pick<FactorReset, 'id' | 'state'>): Promise<void> {
      await db
        .updateTable('factor_resets')
        .set({ told: state })
        .where('id', '=', id)
        .where('state', '=', state)
        .execute();
    },

    /** Moves the time of an approved reset. Undefined when it is no longer approved. */
    postpone: (id: string, dueAt: Date): Promise<FactorReset | undefined> =>
      db
        .updateTable('factor_resets')
        .set({ due_at: dueAt })
        .where('id', '=', id)
        .where('state', '=', 'approved')
        .returningAll()
        .executeTakeFirst(),

    /** Deletes resets that ended before then. */
    async deleteEndedBefore(before: Date): Promise<void> {
      await db
        .deleteFrom('factor_resets')
        .where('state', 'not in', open)
        .where('changed_at', '<', before)
        .execute();
    },
  };
}

export type ResetStore = ReturnType<typeof createResetStore>;
