import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const payments: Migration = {
  async up(db) {
    await db.schema
      .createTable('payment_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('created', 'timestamptz', (column) => column.notNull())
      .addColumn('received_at', 'timestamptz', (column) => column.notNull())
      .addColumn('payload', 'jsonb', (column) => column.notNull())
      .addColumn('status', 'text', (column) =>
        column.notNull().check(sql`status in ('pending', 'done', 'ignored', 'failed')`),
      )
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('error_code', 'text')
      .addColumn('processed_at', 'timestamptz')
      .execute();
    // Only what is still to be looked at, so that the job of every minute reads no others.
    await sql`create index payment_events_unsettled on payment_events (status, received_at)
      where status in ('pending', 'failed')`.execute(db);
    await db.schema
      .createTable('plans')
      .addColumn('user_id', 'uuid', (column) =>
        column.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('plan', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('current_period_end', 'timestamptz')
      .addColumn('customer_id', 'text')
      .addColumn('subscription_id', 'text')
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
      .addColumn('event_created', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('plans_of_customer').on('plans').column('customer_id').execute();
  },
};
