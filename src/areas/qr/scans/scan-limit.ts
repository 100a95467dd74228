import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';

/**
 * Creates the function that lets one more scan through. Resolves to false when the limit is
 * reached. Exact across replicas, because one statement compares and counts.
 */
export const createScanLimit =
  (db: Database) =>
  async (id: string): Promise<boolean> => {
    const { rows } = await sql`update qr_codes set scans_used = scans_used + 1
      where id = ${id} and (scan_limit is null or scans_used < scan_limit)
      returning 1`.execute(db);
    return rows.length > 0;
  };

export type ScanLimit = ReturnType<typeof createScanLimit>;
