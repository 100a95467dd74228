import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const users: Migration = {
  async up(db) {
    await db.schema
      .createTable('users')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('name', 'text')
      .addColumn('picture', 'text')
      .addColumn('roles', sql`text[]`, (column) => column.notNull().defaultTo(sql`'{}'::text[]`))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('last_seen_at', 'timestamptz')
      .addColumn('disabled_at', 'timestamptz')
      .execute();
    await db.schema
      .createTable('identities')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('user_id', 'uuid', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('kind', 'text', (column) =>
        column.notNull().check(sql`kind in ('email', 'phone', 'idp')`),
      )
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('verified_at', 'timestamptz')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await sql`create unique index identities_one_person on identities (kind, key)
      where verified_at is not null`.execute(db);
    await sql`create index identities_of_user on identities (user_id)`.execute(db);
  },
};
