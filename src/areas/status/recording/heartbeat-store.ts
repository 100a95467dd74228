import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

export interface Heartbeat {
  /** Unix ms; null before the first beat. */
  at: number | null;
  holder: string | null;
  version: number;
}

/** The one row of `status_heartbeat`. Every method takes the database or a transaction of it. */
export const heartbeatStore = {
  async read(db: Database, { forUpdate = false } = {}): Promise<Heartbeat> {
    const query = db.selectFrom('status_heartbeat').select(['at', 'holder', 'version']);
    const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirstOrThrow();
    return { at: row.at?.getTime() ?? null, holder: row.holder, version: row.version };
  },

  /** Says that the holder is alive. Undefined when it is somebody else's by now. */
  async beat(db: Database, holder: string, at: Date): Promise<{ version: number } | undefined> {
    return db
      .updateTable('status_heartbeat')
      .set({ at })
      .where('holder', '=', holder)
      .returning('version')
      .executeTakeFirst();
  },

  async take(transaction: Database, holder: string, at: Date): Promise<void> {
    await transaction.updateTable('status_heartbeat').set({ at, holder }).execute();
  },

  /** Anybody may take it at once. */
  async release(db: Database, holder: string, at: Date): Promise<void> {
    await db
      .updateTable('status_heartbeat')
      .set({ at, holder: null })
      .where('holder', '=', holder)
      .execute();
  },

  /** Everybody reads anew: call it in every transaction that changes what is shown. */
  async bumpVersion(transaction: Database): Promise<void> {
    await transaction
      .updateTable('status_heartbeat')
      .set({ version: sql`version + 1` })
      .execute();
  },
};
