import { type Migration, sql } from 'kysely';

/** For the messages that were sent to a person. */
export const deliveriesByRecipient: Migration = {
  async up(db) {
    await sql`create index deliveries_by_recipient on deliveries (to_hash)`.execute(db);
  },
};
