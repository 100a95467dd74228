import { type Migration, sql } from 'kysely';

/** Codes pass the query of their short link on, also those that exist. */
export const qrForwardQuery: Migration = {
  async up(db) {
    await sql`alter table qr_codes add column forward_query boolean not null default true`.execute(
      db,
    );
  },
};
