import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const passkeys: Migration = {
  async up(db) {
    await db.schema
      .createTable('passkeys')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('user_id', 'uuid', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('credential_id', 'text', (column) => column.notNull().unique())
      .addColumn('public_key', 'bytea', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', sql`text[]`, (column) =>
        column.notNull().defaultTo(sql`'{}'::text[]`),
      )
      .addColumn('device_type', 'text', (column) =>
        column.notNull().check(sql`device_type in ('singleDevice', 'multiDevice')`),
      )
      .addColumn('backed_up', 'boolean', (column) => column.notNull())
      .addColumn('aaguid', 'uuid', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('last_used_at', 'timestamptz')
      .execute();
    await db.schema.createIndex('passkeys_of_user').on('passkeys').column('user_id').execute();
  },
};
