import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const analyticsShares: Migration = {
  async up(db) {
    await db.schema
      .createTable('analytics_shares')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('site', 'integer', (column) =>
        column.notNull().references('sites.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('slug_hash', 'text', (column) => column.notNull().unique())
      .addColumn('password_hash', 'text')
      .addColumn('expires_at', 'timestamptz')
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('last_used_at', 'timestamptz')
      .addColumn('revoked_at', 'timestamptz')
      .execute();
    await db.schema
      .createIndex('analytics_shares_of_site')
      .on('analytics_shares')
      .columns(['site', 'id'])
      .execute();
    await db.schema
      .createTable('analytics_reports')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('site', 'integer', (column) =>
        column.notNull().references('sites.id').onDelete('cascade'),
      )
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('frequency', 'text', (column) =>
        column.notNull().check(sql`frequency in ('weekly', 'monthly')`),
      )
      .addColumn('timezone', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('last_sent_for', 'date')
      .addColumn('unsubscribed_at', 'timestamptz')
      .addUniqueConstraint('analytics_reports_one', ['site', 'email', 'frequency'])
      .execute();
  },
};
