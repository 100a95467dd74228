import { createBatcher } from '../../../../platform/database/batcher.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { statementOver } from '../../../../platform/database/statement-over.ts';
import type { NewUser, User, VerifiedIdentity } from '../model.ts';
import { identityListSql, toUser, type UserRow } from './rows.ts';

const identityColumns = { kind: 'text', key: 'text' } as const;
const seenColumns = { id: 'uuid', at: 'timestamptz' } as const;
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

/** Finds the owners of verified identities. */
export function createOwnerLookup(db: Database) {
  const select = statementOver<UserRow & { nth: number }, typeof identityColumns>(
    db,
    identityColumns,
    (given) => `
    select given.nth, users.*, (
      select ${identityListSql}
      from identities where user_id = users.id and verified_at is not null
    ) as identities
    from ${given} join identities as own
      on own.kind = given.kind and own.key = given.key and own.verified_at is not null
    join users on users.id = own.user_id`,
  );

  return createBatcher(
    async (
      identities: readonly Pick<VerifiedIdentity, 'kind' | 'key'>[],
    ): Promise<(User | undefined)[]> => {
      const rows = await select(identities);
      const owners = new Map(rows.map((row) => [row.nth, toUser(row)]));
      return identities.map((_, index) => owners.get(index + 1));
    },
  );
}

/** Whether any user has these identities unverified. */
export function createUnverifiedLookup(db: Database) {
  const select = statementOver<{ nth: number }, typeof identityColumns>(
    db,
    identityColumns,
    (given) => `
    select given.nth from ${given} where exists (
      select from identities where identities.kind = given.kind and identities.key = given.key
        and identities.verified_at is null)`,
  );

  return createBatcher(
    async (identities: readonly Pick<VerifiedIdentity, 'kind' | 'key'>[]): Promise<boolean[]> => {
      const found = new Set((await select(identities)).map(({ nth }) => nth));
      return identities.map((_, index) => found.has(index + 1));
    },
  );
}

/** Inserts users with their first identity; false for those whose identity has an owner. */
export function createInserts(db: Database) {
  // One statement, so that both or neither is stored. Identities come first, so that no user is
  // created for an identity that has an owner. What others have entered for it without a proof is
  // dropped, so that nobody can prepare an account for someone else.
  const insert = statementOver<{ id: string }, typeof newUserColumns>(
    db,
    newUserColumns,
    (given) => `
    with given as materialized (select * from ${given}),
    named as (
      insert into identities (id, user_id, kind, key, value, verified_at, created_at)
      select identity_id, id, kind, key, value, created_at, created_at from given
      on conflict (kind, key) where verified_at is not null do nothing returning user_id
    ),
    dropped as (
      delete from identities using given
      where identities.kind = given.kind and identities.key = given.key
        and identities.verified_at is null
    )
    insert into users (id, name, picture, roles, created_at)
    select id, name, picture, '{}', created_at from given
    where id in (select user_id from named) returning id`,
  );

  return createBatcher(async (users: readonly NewUser[]): Promise<boolean[]> => {
    const inserted = await insert(
      users.map(({ id, identityId, name, picture, identity, at }) => ({
        ...identity,
        id,
        identity_id: identityId,
        name,
        picture,
        created_at: at,
      })),
    );
    const ids = new Set(inserted.map(({ id }) => id));
    return users.map(({ id }) => ids.has(id));
  });
}

/** Stores when users were last seen. */
export function createSeenUpdates(db: Database) {
  const update = statementOver(
    db,
    seenColumns,
    (given) => `update users set last_seen_at = given.at from ${given} where users.id = given.id`,
  );

  return createBatcher(
    async (seen: readonly { id: string; at: Date }[]) => {
      await update(seen);
      return seen;
    },
    { delayMs: 100 },
  );
}
