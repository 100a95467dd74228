import { type Migration, sql } from 'kysely';

/** Logos get names. */
export const qrLogoNames: Migration = {
  async up(db) {
    await sql`alter table qr_logos add column name text`.execute(db);
  },
};
