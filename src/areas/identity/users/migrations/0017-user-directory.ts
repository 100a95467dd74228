import { sql } from 'kysely';
import type { Migration } from 'kysely';

/**
 * Indexes for searches anywhere in a text. pg_trgm comes with PostgreSQL, but not every server has
 * it or lets this user add it: without it, a search reads the whole table.
 */
const trigramIndexes = sql`do $$
begin
  create extension if not exists pg_trgm;
  create index identities_anywhere on identities using gin (key gin_trgm_ops)
    where kind in ('email', 'phone');
  create index users_name_anywhere on users using gin (lower(name) gin_trgm_ops);
exception when others then
  raise notice 'no trigram indexes: %', sqlerrm;
end $$`;

/** Users as admins list them, and people whom admins create before they sign in. */
export const userDirectory: Migration = {
  async up(db) {
    await db.schema.alterTable('users').addColumn('external_id', 'text').execute();
    await sql`create unique index users_external_id on users (external_id)
      where external_id is not null`.execute(db);
    await sql`create unique index identities_one_claim on identities (kind, key)
      where verified_at is null`.execute(db);
    await db.schema
      .createIndex('users_by_time')
      .on('users')
      .columns(['created_at', 'id'])
      .execute();
    await sql`create index users_by_name on users ((coalesce(lower(name), '')), id)`.execute(db);
    await trigramIndexes.execute(db);
    await sql`create view user_directory as
      select users.id, users.name, users.roles, users.external_id, users.created_at,
        users.last_seen_at, users.disabled_at is not null as disabled,
        email.value as email, coalesce(email.verified_at is not null, false) as email_verified,
        phone.key as phone, coalesce(phone.verified_at is not null, false) as phone_verified
      from users
      left join lateral (
        select value, verified_at from identities where user_id = users.id and kind = 'email'
        order by verified_at is null, id limit 1
      ) as email on true
      left join lateral (
        select key, verified_at from identities where user_id = users.id and kind = 'phone'
        order by verified_at is null, id limit 1
      ) as phone on true`.execute(db);
  },
};
