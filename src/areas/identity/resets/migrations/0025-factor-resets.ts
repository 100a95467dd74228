import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const factorResets: Migration = {
  async up(db) {
    await db.schema
      .createTable('factor_resets')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('user_id', 'uuid', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('state', 'text', (column) =>
        column.notNull().check(
          sql`state in ('requested', 'approved', 'completing', 'completed', 'canceled',
              'expired')`,
        ),
      )
      .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('requested_by', 'uuid', (column) =>
        column.references('users.id').onDelete('set null'),
      )
      .addColumn('requested_at', 'timestamptz', (column) => column.notNull())
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .addColumn('approved_by', 'uuid', (column) =>
        column.references('users.id').onDelete('set null'),
      )
      .addColumn('approved_at', 'timestamptz')
      .addColumn('due_at', 'timestamptz')
      .addColumn('canceled_by', 'uuid', (column) =>
        column.references('users.id').onDelete('set null'),
      )
      .addColumn('cancel_reason', 'text')
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('told', 'text')
      .addCheckConstraint(
        'factor_resets_two_admins',
        sql`requested_by <> user_id and approved_by <> user_id and approved_by <> requested_by`,
      )
      .execute();
    await sql`create unique index factor_resets_open on factor_resets (user_id)
      where state in ('requested', 'approved', 'completing')`.execute(db);
    await sql`create index factor_resets_of_user on factor_resets (user_id, id)`.execute(db);
    await sql`create index factor_resets_untold on factor_resets (changed_at)
      where told is distinct from state`.execute(db);
    await sql`create index factor_resets_by_change on factor_resets (changed_at)`.execute(db);
  },
};
