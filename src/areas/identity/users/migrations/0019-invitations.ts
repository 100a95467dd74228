import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const invitations: Migration = {
  async up(db) {
    await db.schema
      .createTable('invitations')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.check(sql`role in ('admin', 'viewer')`))
      .addColumn('note', 'text')
      .addColumn('lifetime_days', 'integer', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.unique())
      .addColumn('inviter_kind', 'text', (column) => column.notNull())
      .addColumn('inviter_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('sent_at', 'timestamptz', (column) => column.notNull())
      .addColumn('sends', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .addColumn('claimed_at', 'timestamptz')
      .addColumn('accepted_at', 'timestamptz')
      .addColumn('accepted_by', 'uuid', (column) =>
        column.references('users.id').onDelete('set null'),
      )
      .addColumn('revoked_at', 'timestamptz')
      .execute();
    await sql`create index invitations_open on invitations (email)
      where accepted_at is null and revoked_at is null`.execute(db);
    await db.schema
      .createIndex('invitations_by_sending')
      .on('invitations')
      .column('sent_at')
      .execute();
  },
};
