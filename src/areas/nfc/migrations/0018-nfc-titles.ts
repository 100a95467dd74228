import { type Kysely, type Migration, sql } from 'kysely';

/** Tags that show a page have a heading for it, since their name is for admins alone. */
export const nfcTitles: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table nfc_tags add column title text`.execute(db);
  },
};
