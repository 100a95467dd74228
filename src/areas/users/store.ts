import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../platform/database.ts';
import { type Role, roles } from '../../platform/identity.ts';
import type { IdentitiesTable, UsersTable } from '../../platform/tables.ts';

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

export interface NewUser {
  id: string;
  identityId: string;
  name: string | null;
  picture: string | null;
  identity: VerifiedIdentity;
  at: Date;
}

const knownRoles = z.array(z.enum(roles).or(z.string())).transform((list) => list.filter((role): role is Role => roles.some((known) => known === role)));

const identityList = z.array(z.object({ kind: z.enum(['email', 'phone', 'idp']), key: z.string(), value: z.string() }));

function toUser(row: Selectable<UsersTable>, identities: VerifiedIdentity[]): User {
  return {
    id: row.id, name: row.name, picture: row.picture, roles: knownRoles.parse(row.roles),
    createdAt: row.created_at, disabledAt: row.disabled_at, identities,
  };
}

/** People and their identities in SQL. */
export function createUserStore(db: Database) {
  // One round trip for a person and the identities.
  const people = () => db.selectFrom('users').selectAll('users').select((from) => from.selectFrom('identities')
    .select(sql`coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'key', key, 'value', value) order by id), '[]')`.as('list'))
    .whereRef('identities.user_id', '=', 'users.id').where('verified_at', 'is not', null).as('identities'));

  async function find(id: string): Promise<User | undefined> {
    const row = await people().where('users.id', '=', id).executeTakeFirst();
    return row === undefined ? undefined : toUser(row, identityList.parse(row.identities));
  }

  return {
    find,

    /** The one person who has proved this identity. */
    async ownerOf({ kind, key }: Pick<VerifiedIdentity, 'kind' | 'key'>): Promise<User | undefined> {
      const row = await people().where('users.id', '=', (from) => from.selectFrom('identities').select('user_id')
        .where('kind', '=', kind).where('key', '=', key).where('verified_at', 'is not', null)).executeTakeFirst();
      return row === undefined ? undefined : toUser(row, identityList.parse(row.identities));
    },

    /** Adds a person with a verified identity, both or neither. False when the identity has an owner already. */
    async insert({ id, identityId, name, picture, identity, at }: NewUser): Promise<boolean> {
      // One statement: it is atomic without a transaction's three more round trips.
      const { numAffectedRows = 0n } = await sql`
        with person as (
          insert into users (id, name, picture, roles, created_at) select ${id}::uuid, ${name}, ${picture}, '{}', ${at}
          where not exists (select from identities where kind = ${identity.kind} and key = ${identity.key} and verified_at is not null)
          returning id
        )
        insert into identities (id, user_id, kind, key, value, verified_at, created_at)
        select ${identityId}::uuid, id, ${identity.kind}, ${identity.key}, ${identity.value}, ${at}, ${at} from person`.execute(db);
      return numAffectedRows > 0n;
    },

    /** Adds a verified identity to a person. False when somebody has it already. */
    async addIdentity(userId: string, id: string, identity: VerifiedIdentity, at: Date): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db.insertInto('identities')
        .values({ id, user_id: userId, ...identity, verified_at: at, created_at: at })
        .onConflict((conflict) => conflict.columns(['kind', 'key']).where('verified_at', 'is not', null).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },

    async setRoles(id: string, next: readonly Role[]): Promise<void> {
      await db.updateTable('users').set({ roles: [...next] }).where('id', '=', id).execute();
    },

    async setDisabled(id: string, at: Date | null): Promise<void> {
      await db.updateTable('users').set({ disabled_at: at }).where('id', '=', id).execute();
    },

    async setSeen(id: string, at: Date): Promise<void> {
      await db.updateTable('users').set({ last_seen_at: at }).where('id', '=', id).execute();
    },

    async hasAdmin(): Promise<boolean> {
      const row = await db.selectFrom('users').select('id').where(sql<boolean>`'admin' = any(roles)`).limit(1).executeTakeFirst();
      return row !== undefined;
    },
  };
}

export type UserStore = ReturnType<typeof createUserStore>;
