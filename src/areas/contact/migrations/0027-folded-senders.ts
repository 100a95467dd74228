import { sql } from 'kysely';
import type { Migration } from 'kysely';

/** The index of senders, with `fold_case` in place of `lower`, which follows the locale. */
export const foldedSenders: Migration = {
  async up(db) {
    await sql`drop index contact_messages_by_email`.execute(db);
    await sql`create index contact_messages_by_email
      on contact_messages (fold_case(email))`.execute(db);
  },
};
