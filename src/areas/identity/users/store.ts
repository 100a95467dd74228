import { sql } from 'kysely';
import type { Role } from '../../../lib/access.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import { changeAccess } from './access/store.ts';
import {
  createInserts,
  createOwnerLookup,
  createSeenUpdates,
  createUnverifiedLookup,
} from './queries/batched.ts';
import { claimIdentity, isClaimable } from './queries/claims.ts';
import type { ListedUser, User, VerifiedIdentity } from './model.ts';
import {
  countTotals,
  countUsers,
  listUserIds,
  type UserFilter,
  type UserSlice,
  type UserTotals,
} from './queries/list.ts';
import { identityListSql, toUser } from './queries/rows.ts';

/** Users with their identities, in one round trip. */
const selectUsers = (db: Database) =>
  db
    .selectFrom('users')
    .selectAll('users')
    .select((from) =>
      from
        .selectFrom('identities')
        .select(sql.raw(identityListSql).as('list'))
        .whereRef('identities.user_id', '=', 'users.id')
        .where('verified_at', 'is not', null)
        .as('identities'),
    );

const hasTotp = sql<boolean>`exists (
  select from totp_factors where user_id = users.id and verified_at is not null)`;
const hasPasskey = sql<boolean>`exists (select from passkeys where user_id = users.id)`;

async function findAll(db: Database, ids: readonly string[]): Promise<ListedUser[]> {
  if (ids.length === 0) return [];
  const rows = await selectUsers(db)
    .select([hasTotp.as('has_totp'), hasPasskey.as('has_passkey')])
    .where('users.id', 'in', ids)
    .execute();
  const users = new Map(
    rows.map((row) => [
      row.id,
      {
        ...toUser(row),
        lastSeenAt: row.last_seen_at,
        hasTotp: row.has_totp,
        hasPasskey: row.has_passkey,
      },
    ]),
  );
  return ids.flatMap((id) => users.get(id) ?? []);
}

interface NewIdentity {
  userId: string;
  id: string;
  identity: VerifiedIdentity;
  at: Date;
}

/** Adds a verified identity, and drops what others have entered for it without a proof. */
function addIdentity(db: Database, { userId, id, identity, at }: NewIdentity): Promise<boolean> {
  return db.transaction().execute(async (within) => {
    const { numInsertedOrUpdatedRows = 0n } = await within
      .insertInto('identities')
      .values({ id, user_id: userId, ...identity, verified_at: at, created_at: at })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'key']).where('verified_at', 'is not', null).doNothing(),
      )
      .executeTakeFirst();
    await within
      .deleteFrom('identities')
      .where('kind', '=', identity.kind)
      .where('key', '=', identity.key)
      .where('verified_at', 'is', null)
      .execute();
    return numInsertedOrUpdatedRows > 0n;
  });
}

type Named = Pick<VerifiedIdentity, 'kind' | 'key'>;

/** Users and their identities in SQL. */
export function createUserStore(db: Database) {
  const seenUpdates = createSeenUpdates(db);
  const { add: isUnverified } = createUnverifiedLookup(db);

  return {
    async find(id: string): Promise<User | undefined> {
      const row = await selectUsers(db).where('users.id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toUser(row);
    },

    /** The users that exist, in the order of `ids`. */
    findAll: (ids: readonly string[]): Promise<ListedUser[]> => findAll(db, ids),

    /** At most `limit` matching users. */
    async list(
      limit: number,
      filter: UserFilter & UserSlice,
      signal?: AbortSignal,
    ): Promise<ListedUser[]> {
      const reads = cancellable(db, signal);
      return findAll(reads, await listUserIds(reads, limit, filter));
    },

    count: (filter: UserFilter, signal?: AbortSignal): Promise<number> =>
      countUsers(cancellable(db, signal), filter),

    totals: (signal?: AbortSignal): Promise<UserTotals> => countTotals(cancellable(db, signal)),

    async hasAdmin(): Promise<boolean> {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where(sql<boolean>`'admin' = any(roles)`)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The user who has verified this identity. */
    ownerOf: createOwnerLookup(db).add,

    holdersOf,

    /** Whether a user has this identity, verified or not. */
    hasIdentity: async (identity: Named, userId: string): Promise<boolean> =>
      (await holdersOf(identity)).includes(userId),

    /** Adds a user with a verified identity, or neither: false when the identity has an owner. */
    insert: createInserts(db).add,

    /** Adds a verified identity to a user. False when it has an owner. */
    addIdentity: (
      userId: string,
      id: string,
      identity: VerifiedIdentity,
      at: Date,
    ): Promise<boolean> => addIdentity(db, { userId, id, identity, at }),

    async setRoles(id: string, roles: readonly Role[]): Promise<void> {
      const query = db.updateTable('users').set({ roles: [...roles] });
      await query.where('id', '=', id).execute();
    },

    async setDisabled(id: string, at: Date | null): Promise<void> {
      await db.updateTable('users').set({ disabled_at: at }).where('id', '=', id).execute();
    },

    /**
     * Gives a verified identity to the user for whom an admin has entered it. Returns their id.
     */
    async claim({ kind, key, value }: VerifiedIdentity, at: Date): Promise<string | undefined> {
      // Nearly nobody is entered by an admin first: the lookup is shared, claiming is not.
      if (!(await isUnverified({ kind, key }))) return undefined;
      return claimIdentity(db, { kind, key, value }, at);
    },

    /** Whether an admin has created a user for this identity, whom nobody has signed in as yet. */
    isClaimable: (identity: Pick<VerifiedIdentity, 'kind' | 'key'>): Promise<boolean> =>
      isClaimable(db, identity),

    changeAccess,

    /** Runs `work` in a transaction: all of its changes are kept, or none. */
    transaction: <Result>(work: (within: Database) => Promise<Result>): Promise<Result> =>
      db.transaction().execute(work),

    /** Batched for 100 ms, so callers should not await it. */
    setSeen: (id: string, at: Date): Promise<unknown> => seenUpdates.addLater({ id, at }),
  };

  /** The users who have an identity, verified or not. */
  async function holdersOf({ kind, key }: Named): Promise<string[]> {
    const query = db.selectFrom('identities').select('user_id').where('kind', '=', kind);
    const rows = await query.where('key', '=', key).execute();
    return rows.map(({ user_id: id }) => id);
  }
}

export type UserStore = ReturnType<typeof createUserStore>;
