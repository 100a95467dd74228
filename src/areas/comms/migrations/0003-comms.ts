import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const comms: Migration = {
  async up(db) {
    await db.schema
      .createTable('deliveries')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('key_hash', 'text', (column) => column.notNull().unique())
      .addColumn('channel', 'text', (column) =>
        column.notNull().check(sql`channel in ('sms', 'email')`),
      )
      .addColumn('template', 'text', (column) => column.notNull())
      .addColumn('to_hash', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) =>
        column.notNull().check(sql`status in ('queued', 'sent', 'failed', 'expired')`),
      )
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('provider_reference', 'text')
      .addColumn('error_code', 'text')
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await sql`create index deliveries_by_age on deliveries (created_at)`.execute(db);
  },
};
