import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';

async function extendUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('locale', 'text')
    .addColumn('zoneinfo', 'text')
    .addColumn('deletion_due_at', 'timestamptz')
    .execute();
  await sql`create index users_leaving on users (deletion_due_at)
    where deletion_due_at is not null`.execute(db);
}

async function createAvatars(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('avatars')
    .addColumn('user_id', 'uuid', (column) =>
      column.primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('image', 'bytea', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
}

async function createExports(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('data_exports')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('user_id', 'uuid', (column) =>
      column.notNull().unique().references('users.id').onDelete('cascade'),
    )
    .addColumn('state', 'text', (column) =>
      column.notNull().check(sql`state in ('queued', 'running', 'ready', 'failed')`),
    )
    .addColumn('done', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('size', 'integer')
    .addColumn('requested_at', 'timestamptz', (column) => column.notNull())
    .addColumn('finished_at', 'timestamptz')
    .execute();
  await db.schema
    .createTable('data_export_chunks')
    .addColumn('export_id', 'uuid', (column) =>
      column.notNull().references('data_exports.id').onDelete('cascade'),
    )
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('data_export_chunks_pkey', ['export_id', 'position'])
    .execute();
}

/** What is left to do for accounts whose rows are gone. Rows are short-lived. */
async function createErasures(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_erasures')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('erased_at', 'timestamptz', (column) => column.notNull())
    .execute();
}

/** The own account: profile, avatar, export of the own data, and deletion. */
export const account: Migration = {
  async up(db) {
    await extendUsers(db);
    await createAvatars(db);
    await createExports(db);
    await createErasures(db);
  },
};
