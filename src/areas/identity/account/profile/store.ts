import type { Database } from '../../../../platform/database/database.ts';

export interface ProfileRow {
  locale: string | null;
  zoneinfo: string | null;
  deletion_due_at: Date | null;
}

export interface ProfileChange {
  name?: string | null | undefined;
  locale?: string | null | undefined;
  zoneinfo?: string | null | undefined;
}

/** The part of a user that only their account page shows and changes. */
export const createProfileStore = (db: Database) => ({
  find: (id: string): Promise<ProfileRow | undefined> =>
    db
      .selectFrom('users')
      .select(['locale', 'zoneinfo', 'deletion_due_at'])
      .where('id', '=', id)
      .executeTakeFirst(),

  /** `undefined` leaves a field as it is. */
  async change(id: string, { name, locale, zoneinfo }: ProfileChange): Promise<void> {
    await db.updateTable('users').set({ name, locale, zoneinfo }).where('id', '=', id).execute();
  },
});

export type ProfileStore = ReturnType<typeof createProfileStore>;
