import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const initial: Migration = {
  async up(db) {
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
      .addColumn('hint', 'text', (column) => column.notNull())
      .addColumn('scopes', sql`text[]`, (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('last_used_at', 'timestamptz')
      .addColumn('expires_at', 'timestamptz')
      .addColumn('revoked_at', 'timestamptz')
      .execute();
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
