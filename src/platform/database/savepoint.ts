import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Runs a part of a transaction, whose changes are taken back if it fails: the transaction can go
 * on. Rejects with the error of the part.
 */
export async function inSavepoint<Result>(
  within: Database,
  part: () => Promise<Result>,
): Promise<Result> {
  await sql`savepoint part`.execute(within);
  try {
    const result = await part();
    await sql`release savepoint part`.execute(within);
    return result;
  } catch (error) {
    await sql`rollback to savepoint part`.execute(within);
    throw error;
  }
}
