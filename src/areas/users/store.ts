import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { createBatching } from '../../platform/batching.ts';
import { statementOver } from '../../platform/database/statement-over.ts';
import { cancellable, type Database } from '../../platform/database/database.ts';
import { type Role, roles } from '../../lib/access.ts';
import type { IdentitiesTable, UsersTable } from './tables.ts';
import { type Access, changeAccess } from './access-store.ts';
import { listUserIds, type UserFilter } from './user-list.ts';

export type IdentityKind = IdentitiesTable['kind'];

/** What somebody has just proved to be. */
export interface VerifiedIdentity {
  kind: IdentityKind;
  /** Normalised, so that one address or number has one spelling. */
  key: string;
  /** As it was given. */
  value: string;
}

export interface User {
  id: string;
  name: string | null;
  picture: string | null;
  roles: Role[];
  createdAt: Date;
  disabledAt: Date | null;
  /** Verified ones, oldest first. */
  identities: VerifiedIdentity[];
}

/** A person as a list shows them. */
export interface ListedUser extends User {
  lastSeenAt: Date | null;
  hasTotp: boolean;
  hasPasskey: boolean;
}

export interface NewUser {
  id: string;
  identityId: string;
  name: string | null;
  picture: string | null;
  identity: VerifiedIdentity;
  at: Date;
}

const provedColumns = { kind: 'text', key: 'text' } as const;

const sightingColumns = { id: 'uuid', at: 'timestamptz' } as const;

const newUserColumns = {
  id: 'uuid',
  identity_id: 'uuid',
  name: 'text',
  picture: 'text',
  kind: 'text',
  key: 'text',
  value: 'text',
  created_at: 'timestamptz',
} as const;

const knownRoles = z
  .array(z.enum(roles).or(z.string()))
  .transform((list) => list.filter((role): role is Role => roles.some((known) => known === role)));

const identityList = z.array(
  z.object({ kind: z.enum(['email', 'phone', 'idp']), key: z.string(), value: z.string() }),
);

function toUser(row: Selectable<UsersTable>, identities: VerifiedIdentity[]): User {
  return {
    id: row.id,
    name: row.name,
    picture: row.picture,
    roles: knownRoles.parse(row.roles),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    identities,
  };
}

/** People and their identities in SQL. */
export function createUserStore(db: Database) {
  // One round trip for a person and the identities.
  const people = (within: Database = db) =>
    within
      .selectFrom('users')
      .selectAll('users')
      .select((from) =>
        from
          .selectFrom('identities')
          .select(
            sql`coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'key', key, 'value', value) order by id), '[]')`.as(
              'list',
            ),
          )
          .whereRef('identities.user_id', '=', 'users.id')
          .where('verified_at', 'is not', null)
          .as('identities'),
      );

  async function find(id: string): Promise<User | undefined> {
    const row = await people().where('users.id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : toUser(row, identityList.parse(row.identities));
  }

  /** In the order of `ids`; those that there are. */
  async function findAll(ids: readonly string[], within: Database = db): Promise<ListedUser[]> {
    if (ids.length === 0) return [];
    const rows = await people(within)
      .select([
        sql<boolean>`exists (select from totp_factors where user_id = users.id and verified_at is not null)`.as(
          'has_totp',
        ),
        sql<boolean>`exists (select from passkeys where user_id = users.id)`.as('has_passkey'),
      ])
      .where('users.id', 'in', ids)
      .execute();
    const found = new Map(
      rows.map((row) => [
        row.id,
        {
          ...toUser(row, identityList.parse(row.identities)),
          lastSeenAt: row.last_seen_at,
          hasTotp: row.has_totp,
          hasPasskey: row.has_passkey,
        },
      ]),
    );
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  const findOwners = statementOver<
    Selectable<UsersTable> & { nth: number; identities: unknown },
    typeof provedColumns
  >(
    db,
    provedColumns,
    (given) => `
    select given.nth, users.*, (
      select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'key', key, 'value', value) order by id), '[]')
      from identities where user_id = users.id and verified_at is not null
    ) as identities
    from ${given} join identities as proved on proved.kind = given.kind and proved.key = given.key and proved.verified_at is not null
    join users on users.id = proved.user_id`,
  );

  const owners = createBatching(
    async (
      proved: readonly Pick<VerifiedIdentity, 'kind' | 'key'>[],
    ): Promise<(User | undefined)[]> => {
      const rows = await findOwners(proved);
      const found = new Map(
        rows.map((row) => [row.nth, toUser(row, identityList.parse(row.identities))]),
      );
      return proved.map((_, at) => found.get(at + 1));
    },
  );

  // One statement, so both or neither; and the identities first, so that nobody is made whose identity has an owner.
  const insertPeople = statementOver<{ id: string }, typeof newUserColumns>(
    db,
    newUserColumns,
    (given) => `
    with given as materialized (select * from ${given}),
    named as (
      insert into identities (id, user_id, kind, key, value, verified_at, created_at)
      select identity_id, id, kind, key, value, created_at, created_at from given
      on conflict (kind, key) where verified_at is not null do nothing returning user_id
    )
    insert into users (id, name, picture, roles, created_at)
    select id, name, picture, '{}', created_at from given where id in (select user_id from named) returning id`,
  );

  const inserts = createBatching(async (people: readonly NewUser[]): Promise<boolean[]> => {
    const made = await insertPeople(
      people.map(({ id, identityId, name, picture, identity: { kind, key, value }, at }) => ({
        id,
        identity_id: identityId,
        name,
        picture,
        kind,
        key,
        value,
        created_at: at,
      })),
    );
    const ids = new Set(made.map(({ id }) => id));
    return people.map(({ id }) => ids.has(id));
  });

  const noteSightings = statementOver(
    db,
    sightingColumns,
    (given) => `update users set last_seen_at = given.at from ${given} where users.id = given.id`,
  );

  const sightings = createBatching(
    async (seen: readonly { id: string; at: Date }[]) => {
      await noteSightings(seen);
      return seen;
    },
    { patienceMs: 100 },
  );

  return {
    find,
    findAll: (ids: readonly string[]): Promise<ListedUser[]> => findAll(ids),

    /** At most `limit` people who match, newest first. */
    async list(limit: number, filter: UserFilter, signal?: AbortSignal): Promise<ListedUser[]> {
      const reads = cancellable(db, signal);
      return findAll(await listUserIds(reads, limit, filter), reads);
    },

    /** The one person who has proved this identity. */
    ownerOf: owners.add,

    /** Adds a person with a verified identity, both or neither. False when the identity has an owner already. */
    insert: inserts.add,

    /** Adds a verified identity to a person. False when somebody has it already. */
    async addIdentity(
      userId: string,
      id: string,
      identity: VerifiedIdentity,
      at: Date,
    ): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('identities')
        .values({ id, user_id: userId, ...identity, verified_at: at, created_at: at })
        .onConflict((conflict) =>
          conflict.columns(['kind', 'key']).where('verified_at', 'is not', null).doNothing(),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },

    async setRoles(id: string, next: readonly Role[]): Promise<void> {
      await db
        .updateTable('users')
        .set({ roles: [...next] })
        .where('id', '=', id)
        .execute();
    },

    async setDisabled(id: string, at: Date | null): Promise<void> {
      await db.updateTable('users').set({ disabled_at: at }).where('id', '=', id).execute();
    },

    /** What `changeAccess` does. */
    changeAccess: (
      ids: readonly string[],
      decide: (held: ReadonlyMap<string, Access>) => { id: string; next: Access },
    ): Promise<void> => changeAccess(db, ids, decide),

    /** Nobody should wait for it. */
    setSeen: (id: string, at: Date): Promise<unknown> => sightings.addLater({ id, at }),

    async hasAdmin(): Promise<boolean> {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where(sql<boolean>`'admin' = any(roles)`)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export type UserStore = ReturnType<typeof createUserStore>;
