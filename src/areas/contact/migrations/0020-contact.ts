import { type Kysely, type Migration, sql } from 'kysely';

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact_messages')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('topic', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) =>
      column.notNull().check(sql`status in ('new', 'open', 'replied', 'closed', 'spam')`),
    )
    .addColumn('status_at', 'timestamptz', (column) => column.notNull())
    .addColumn('assignee_id', 'uuid', (column) =>
      column.references('users.id').onDelete('set null'),
    )
    .addColumn('proof', 'text', (column) =>
      column.notNull().check(sql`proof in ('solved', 'none', 'key')`),
    )
    .addColumn('spam_reason', 'text')
    .addColumn('network', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addColumn('noticed_at', 'timestamptz')
    .execute();
  await sql`
    create index contact_messages_by_creation on contact_messages (created_at, id)`.execute(db);
  await sql`
    create index contact_messages_by_update on contact_messages (updated_at, id)`.execute(db);
  await sql`
    create index contact_messages_by_status on contact_messages (status, created_at, id)`.execute(
    db,
  );
  await sql`
    create index contact_messages_by_status_age on contact_messages (status, status_at)`.execute(
    db,
  );
  await sql`create index contact_messages_by_email on contact_messages (lower(email))`.execute(db);
  await sql`create index contact_messages_unnoticed on contact_messages (id)
    where noticed_at is null and status = 'new'`.execute(db);
  await sql`create index contact_messages_by_assignee on contact_messages (assignee_id)
    where assignee_id is not null`.execute(db);
}

/** Replies and notes have the same columns, but for the delivery of a reply. */
async function createEntries(db: Kysely<unknown>, table: string): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('message_id', 'uuid', (column) =>
      column.notNull().references('contact_messages.id').onDelete('cascade'),
    )
    .addColumn('author_kind', 'text', (column) => column.notNull())
    .addColumn('author_id', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex(`${table}_by_message`)
    .on(table)
    .columns(['message_id', 'created_at', 'id'])
    .execute();
}

async function createSavedReplies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('contact_saved_replies')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('contact_saved_replies_name', ['name'])
    .execute();
  await db.schema
    .createIndex('contact_saved_replies_by_name')
    .on('contact_saved_replies')
    .columns(['name', 'id'])
    .execute();
  await db.schema
    .createIndex('contact_saved_replies_by_creation')
    .on('contact_saved_replies')
    .columns(['created_at', 'id'])
    .execute();
}

/** Messages from the contact form, the answers to them, notes, and saved replies. */
export const contact: Migration = {
  async up(db) {
    await createMessages(db);
    await createEntries(db, 'contact_replies');
    await db.schema.alterTable('contact_replies').addColumn('delivery_id', 'uuid').execute();
    await sql`create index contact_replies_unsent on contact_replies (id)
      where delivery_id is null`.execute(db);
    await createEntries(db, 'contact_notes');
    await createSavedReplies(db);
  },
};
