import type { Migration } from 'kysely';

export const nfcSites: Migration = {
  async up(db) {
    await db.schema.alterTable('nfc_tags').addColumn('site_id', 'text').execute();
  },
};
