import type { Migration } from 'kysely';

/** How many people a batch of approvals left out, because their mailbox is disposable. */
export const waitlistLeftOut: Migration = {
  async up(db) {
    await db.schema
      .alterTable('waitlist_batches')
      .addColumn('left_out', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
