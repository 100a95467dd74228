import { sql } from 'kysely';
import type { Migration } from 'kysely';

/** Indexes for the lists of the console: one for each filter, in the order of its list. */
export const userList: Migration = {
  async up(db) {
    await sql`create index identities_prefix on identities (key text_pattern_ops, user_id)
      where kind in ('email', 'phone') and verified_at is not null`.execute(db);
    await sql`create index users_name_prefix on users (lower(name) text_pattern_ops, id)
      where name is not null`.execute(db);
    await sql`create index users_with_roles on users (id) where roles <> '{}'`.execute(db);
    await sql`create index users_disabled on users (id) where disabled_at is not null`.execute(db);
    await sql`create index devices_name_prefix
      on devices (lower(name) text_pattern_ops, id)`.execute(db);
    await db.schema
      .createIndex('devices_by_time')
      .on('devices')
      .columns(['first_seen', 'id'])
      .execute();
    await db.schema
      .createIndex('devices_by_state')
      .on('devices')
      .columns(['state', 'first_seen', 'id'])
      .execute();
    await db.schema
      .createIndex('payment_events_by_time')
      .on('payment_events')
      .columns(['received_at', 'id'])
      .execute();
    await db.schema
      .createIndex('payment_events_by_status')
      .on('payment_events')
      .columns(['status', 'received_at', 'id'])
      .execute();
  },
};
