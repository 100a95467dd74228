import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/** Stores visitor salts in the table `salts`. */
export function createSaltStore(db: Database) {
  return {
    /** Stores the salt unless the day has one. Returns the salt of the day. */
    async ensure(day: string, salt: Buffer): Promise<Buffer> {
      await db
        .insertInto('salts')
        .values({ day, salt, created_at: sql`now()` })
        .onConflict((oc) => oc.doNothing())
        .execute();
      const row = await db
        .selectFrom('salts')
        .select('salt')
        .where('day', '=', day)
        .executeTakeFirstOrThrow();
      return Buffer.from(row.salt);
    },

    /** Deletes the salts of days before `day` (YYYY-MM-DD). */
    async destroyBefore(day: string): Promise<void> {
      await db.deleteFrom('salts').where('day', '<', day).execute();
    },
  };
}

export type SaltStore = ReturnType<typeof createSaltStore>;
