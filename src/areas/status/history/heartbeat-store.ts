import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

export interface Heartbeat {
  /** Unix ms; null before the first heartbeat. */
  at: number | null;
  holder: string | null;
  version: number;
}

/** The single row of `status_heartbeat`. Every method takes the database or a transaction. */
export const heartbeatStore = {
  async read(db: Database, { forUpdate = false } = {}): Promise<Heartbeat> {
    const query = db.selectFrom('status_heartbeat').select(['at', 'holder', 'version']);
    const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirstOrThrow();
    return { at: row.at?.getTime() ?? null, holder: row.holder, version: row.version };
  },

  /** Renews the heartbeat of the holder. Undefined when another replica holds it. */
  async renew(db: Database, holder: string, at: Date): Promise<{ version: number } | undefined> {
    return db
      .updateTable('status_heartbeat')
      .set({ at })
      .where('holder', '=', holder)
      .returning('version')
      .executeTakeFirst();
  },

  async acquire(transaction: Database, holder: string, at: Date): Promise<void> {
    await transaction.updateTable('status_heartbeat').set({ at, holder }).execute();
  },

  /** Lets another replica acquire it at once. */
  async release(db: Database, holder: string, at: Date): Promise<void> {
    await db
      .updateTable('status_heartbeat')
      .set({ at, holder: null })
      .where('holder', '=', holder)
      .execute();
  },

  /** Makes all replicas read again. Call it in every transaction that changes the public state. */
  async bumpVersion(transaction: Database): Promise<void> {
    await transaction
      .updateTable('status_heartbeat')
      .set({ version: sql`version + 1` })
      .execute();
  },
};
