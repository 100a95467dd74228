import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { Role } from '../../lib/access.ts';

/** What admins decide about a person. */
export interface Access {
  roles: readonly string[];
  disabledAt: Date | null;
}

/** Who may be somebody else's admin: has the role, and is not shut out. */
export const isActingAdmin = ({ roles, disabledAt }: Access): boolean =>
  disabledAt === null && roles.includes('admin' satisfies Role);

// Any number that nothing else locks.
const turn = 7_301_945_112;

/**
 * Changes what a person may do, one change at a time over all replicas: what `decide` was handed is so until its answer is stored.
 * Otherwise two admins who act on each other in the same moment would both lose, and of two changes of one person one would be undone.
 * @param ids whom `decide` asks about: who is not in its map is not there.
 */
export async function changeAccess(
  db: Database,
  ids: readonly string[],
  decide: (held: ReadonlyMap<string, Access>) => { id: string; next: Access },
): Promise<void> {
  await db.transaction().execute(async (within) => {
    await sql`select pg_advisory_xact_lock(${turn})`.execute(within);
    const rows = await within
      .selectFrom('users')
      .select(['id', 'roles', 'disabled_at'])
      .where('id', 'in', ids)
      .execute();
    const { id, next } = decide(
      new Map(rows.map((row) => [row.id, { roles: row.roles, disabledAt: row.disabled_at }])),
    );
    await within
      .updateTable('users')
      .set({ roles: [...next.roles], disabled_at: next.disabledAt })
      .where('id', '=', id)
      .execute();
  });
}
