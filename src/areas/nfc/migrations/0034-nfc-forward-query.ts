import { type Migration, sql } from 'kysely';

/** Tags pass the query of their URL on, also those that exist. */
export const nfcForwardQuery: Migration = {
  async up(db) {
    await sql`alter table nfc_tags add column forward_query boolean not null default true`.execute(
      db,
    );
  },
};
