import { sql } from 'kysely';
import type { Migration } from 'kysely';

/** The indexes of names, with `fold_case` in place of `lower`, which follows the locale. */
export const foldedNames: Migration = {
  async up(db) {
    await sql`drop index users_name_prefix, users_by_name, devices_name_prefix`.execute(db);
    await sql`create index users_name_prefix on users (fold_case(name) text_pattern_ops, id)
      where name is not null`.execute(db);
    await sql`create index users_by_name
      on users ((coalesce(fold_case(name), '')), id)`.execute(db);
    await sql`create index devices_name_prefix
      on devices (fold_case(name) text_pattern_ops, id)`.execute(db);
    // The trigram index is missing where the server has no pg_trgm.
    await sql`do $$
      begin
        if to_regclass('users_name_anywhere') is not null then
          drop index users_name_anywhere;
          create index users_name_anywhere on users using gin (fold_case(name) gin_trgm_ops);
        end if;
      end $$`.execute(db);
  },
};
