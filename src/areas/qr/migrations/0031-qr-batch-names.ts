import { type Migration, sql } from 'kysely';

/** Names of files of codes. */
export const qrBatchNames: Migration = {
  async up(db) {
    await sql`alter table qr_batches add column name text`.execute(db);
  },
};
