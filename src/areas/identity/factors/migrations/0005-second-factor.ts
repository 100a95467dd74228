import type { Migration } from 'kysely';

export const secondFactor: Migration = {
  async up(db) {
    await db.schema
      .createTable('totp_factors')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('user_id', 'uuid', (column) =>
        column.notNull().unique().references('users.id').onDelete('cascade'),
      )
      .addColumn('sealed_secret', 'text', (column) => column.notNull())
      .addColumn('last_step', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('verified_at', 'timestamptz')
      .addColumn('last_used_at', 'timestamptz')
      .execute();
    await db.schema
      .createTable('backup_codes')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('user_id', 'uuid', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('salt', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('used_at', 'timestamptz')
      .execute();
    await db.schema
      .createIndex('backup_codes_of_user')
      .on('backup_codes')
      .column('user_id')
      .execute();
  },
};
