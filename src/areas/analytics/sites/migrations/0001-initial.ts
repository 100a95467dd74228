import { sql } from 'kysely';
import type { Migration } from 'kysely';

/** The first tables of this area. `app/migrations.ts` runs this with the one of API keys. */
export const initialSites: Migration = {
  async up(db) {
    await db.schema
      .createTable('sites')
      .addColumn('id', 'serial', (column) => column.primaryKey())
      .addColumn('site_id', 'text', (column) =>
        column
          .notNull()
          .unique()
          .check(sql`length(site_id) between 1 and 64`),
      )
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('registered_by', 'text', (column) =>
        column.notNull().check(sql`registered_by in ('open', 'admin')`),
      )
      .addColumn('closed', 'boolean', (column) => column.notNull().defaultTo(false))
      .addColumn('settings', 'jsonb', (column) => column.notNull().defaultTo(sql`'{}'::jsonb`))
      .execute();
    await db.schema
      .createTable('salts')
      .addColumn('day', 'date', (column) => column.primaryKey())
      .addColumn('salt', 'bytea', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .execute();
  },
};
