import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/** Counts scans toward the limit of a code. */
export const createScanLimit = (db: Database) => ({
  /**
   * Counts one more scan. Resolves to false when the limit is reached. Exact across replicas,
   * because one statement compares and counts.
   */
  async take(id: string): Promise<boolean> {
    const { rows } = await sql`update qr_codes set scans_used = scans_used + 1
      where id = ${id} and (scan_limit is null or scans_used < scan_limit)
      returning 1`.execute(db);
    return rows.length > 0;
  },

  /** Takes back a scan that was counted, and failed. */
  async giveBack(id: string): Promise<void> {
    await sql`update qr_codes set scans_used = scans_used - 1
      where id = ${id} and scans_used > 0`.execute(db);
  },
});

export type ScanLimit = ReturnType<typeof createScanLimit>;
