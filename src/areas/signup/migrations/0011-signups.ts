import type { Migration } from 'kysely';

export const signups: Migration = {
  async up(db) {
    await db.schema
      .createTable('signups')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text')
      .addColumn('company', 'text')
      .addColumn('phone', 'text')
      .addColumn('plan', 'text')
      .addColumn('referral_code', 'text')
      .addColumn('consent_at', 'timestamptz')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('confirmed_at', 'timestamptz')
      .addColumn('confirm_hash', 'text')
      .addColumn('last_asked_at', 'timestamptz', (column) => column.notNull())
      .addColumn('asked', 'integer', (column) => column.notNull())
      .execute();
  },
};
