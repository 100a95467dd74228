import type { Database } from '../../../../platform/database/database.ts';

/** Pictures of users. The user's `picture` changes in the same transaction. */
export const createAvatarStore = (db: Database) => ({
  async put(
    userId: string,
    { hash, image, url, at }: { hash: string; image: Buffer; url: string; at: Date },
  ): Promise<void> {
    await db.transaction().execute(async (within) => {
      const columns = { hash, image, created_at: at };
      await within
        .insertInto('avatars')
        .values({ user_id: userId, ...columns })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
        .execute();
      await within.updateTable('users').set({ picture: url }).where('id', '=', userId).execute();
    });
  },

  /** Also removes a picture of an identity provider. */
  async remove(userId: string): Promise<void> {
    await db.transaction().execute(async (within) => {
      await within.deleteFrom('avatars').where('user_id', '=', userId).execute();
      await within.updateTable('users').set({ picture: null }).where('id', '=', userId).execute();
    });
  },

  find: async (userId: string, hash: string): Promise<Buffer | undefined> =>
    (
      await db
        .selectFrom('avatars')
        .select('image')
        .where('user_id', '=', userId)
        .where('hash', '=', hash)
        .executeTakeFirst()
    )?.image,

  hashOf: async (userId: string): Promise<string | undefined> =>
    (await db.selectFrom('avatars').select('hash').where('user_id', '=', userId).executeTakeFirst())
      ?.hash,
});

export type AvatarStore = ReturnType<typeof createAvatarStore>;
