import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const audit: Migration = {
  async up(db) {
    await db.schema
      .createTable('audit_events')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('at', 'timestamptz', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) =>
        column.notNull().check(sql`outcome in ('success', 'failure', 'denied')`),
      )
      .addColumn('reason', 'text')
      .addColumn('actor_kind', 'text', (column) =>
        column.notNull().check(sql`actor_kind in ('user', 'api_key', 'system', 'anonymous')`),
      )
      .addColumn('actor_id', 'text')
      .addColumn('target_kind', 'text')
      .addColumn('target_id', 'text')
      .addColumn('address', 'text')
      .addColumn('request_id', 'text')
      .addColumn('details', 'jsonb', (column) => column.notNull().defaultTo(sql`'{}'::jsonb`))
      .execute();
    for (const column of ['actor_id', 'target_id', 'action']) {
      await db.schema
        .createIndex(`audit_events_${column}`)
        .on('audit_events')
        .columns([column, 'id'])
        .execute();
    }
    // Covers only rows whose address is not truncated yet, the ones that the daily job reads.
    await sql`create index audit_events_whole_address on audit_events (id)
      where address not like '%/%'`.execute(db);
  },
};
