import type { Migration } from 'kysely';

/** The index of the list of sign-ups, newest first; `email` has a unique one. */
export const signupList: Migration = {
  async up(db) {
    await db.schema
      .createIndex('signups_by_time')
      .on('signups')
      .columns(['created_at', 'id'])
      .execute();
  },
};
