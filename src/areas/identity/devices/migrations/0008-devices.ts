import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';

async function createDevices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('devices')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('state', 'text', (column) =>
      column
        .notNull()
        .check(sql`state in ('pending', 'cleared', 'expired', 'suspended', 'denied', 'revoked')`),
    )
    .addColumn('state_at', 'timestamptz', (column) => column.notNull())
    .addColumn('reasons', sql`text[]`, (column) => column.notNull().defaultTo(sql`'{}'::text[]`))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text')
    .addColumn('previous_secret_hash', 'text')
    .addColumn('generation', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('rotation', 'text')
    .addColumn('rotated_at', 'timestamptz')
    .addColumn('rotated_from', 'text')
    .addColumn('confirmed_at', 'timestamptz')
    .addColumn('jkt', 'text')
    .addColumn('passkey_id', 'uuid', (column) =>
      column.references('passkeys.id').onDelete('set null'),
    )
    .addColumn('fingerprint_hash', 'text', (column) => column.notNull())
    .addColumn('platform', 'text')
    .addColumn('os', 'text')
    .addColumn('browser', 'text')
    .addColumn('browser_major', 'integer')
    .addColumn('countries', sql`text[]`, (column) => column.notNull().defaultTo(sql`'{}'::text[]`))
    .addColumn('country', 'text')
    .addColumn('country_at', 'timestamptz')
    .addColumn('suspect', 'jsonb')
    .addColumn('address', 'text')
    .addColumn('enrolled_in', 'uuid', (column) => column.unique())
    .addColumn('first_seen', 'timestamptz', (column) => column.notNull())
    .addColumn('last_seen', 'timestamptz', (column) => column.notNull())
    .addColumn('cleared_at', 'timestamptz')
    .addColumn('expires_at', 'timestamptz')
    .addColumn('sessions_ended_at', 'timestamptz')
    .execute();
}

async function indexDevices(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('devices_of_user').on('devices').column('user_id').execute();
  await sql`
    create unique index devices_key on devices (user_id, jkt)
    where jkt is not null and state <> 'revoked'`.execute(db);
  await sql`
    create index devices_ending on devices (expires_at)
    where state in ('cleared', 'pending')`.execute(db);
  await sql`
    create index devices_leaving on devices (state_at)
    where state not in ('pending', 'cleared')`.execute(db);
  // Nearly always empty: revoked devices whose sessions may still be open.
  await sql`
    create index devices_unfinished on devices (id)
    where state = 'revoked' and sessions_ended_at is null`.execute(db);
}

async function createClearanceRequests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('clearance_requests')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('device_id', 'uuid', (column) =>
      column.notNull().references('devices.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'uuid', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('state', 'text', (column) =>
      column.notNull().check(sql`state in ('open', 'approved', 'denied', 'expired', 'withdrawn')`),
    )
    .addColumn('number', 'text', (column) => column.notNull())
    .addColumn('wrong_numbers', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('reason', 'text')
    .addColumn('address', 'text')
    .addColumn('country', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('decided_at', 'timestamptz')
    .addColumn('decided_by', 'text')
    .addColumn('note', 'text')
    .execute();
  await sql`
    create unique index clearance_requests_open on clearance_requests (device_id)
    where state = 'open'`.execute(db);
  await db.schema
    .createIndex('clearance_requests_of_user')
    .on('clearance_requests')
    .columns(['user_id', 'created_at'])
    .execute();
}

/** At most one row: the first device of the first admin. */
async function createFirstClearedDevice(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('first_cleared_device')
    .addColumn('one', 'boolean', (column) => column.primaryKey().check(sql`one`))
    .addColumn('device_id', 'uuid', (column) => column.notNull())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .execute();
}

export const devices: Migration = {
  async up(db) {
    await createDevices(db);
    await indexDevices(db);
    await createClearanceRequests(db);
    await createFirstClearedDevice(db);
  },
};
