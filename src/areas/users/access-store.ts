import { sql } from 'kysely';
import type { Role } from '../../lib/access.ts';
import type { Database } from '../../platform/database/database.ts';

/** The access that admins grant a user. */
export interface Access {
  roles: readonly string[];
  disabledAt: Date | null;
}

/** Whether a user has the role `admin` and is not disabled. */
export const isActingAdmin = ({ roles, disabledAt }: Access): boolean =>
  disabledAt === null && roles.includes('admin' satisfies Role);

// Arbitrary, but different from all other advisory locks.
const accessLock = 7_301_945_112;

/** Serialises changes to who is an admin, until the transaction ends. */
export async function lockAccess(within: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${accessLock})`.execute(within);
}

/**
 * Changes a user's access. `decide` gets the current access of the users in `ids` that exist. An
 * advisory lock serialises changes across replicas: otherwise two admins who remove each other's
 * role at the same moment would both succeed, and concurrent changes could be lost.
 */
export async function changeAccess(
  db: Database,
  ids: readonly string[],
  decide: (current: ReadonlyMap<string, Access>) => { id: string; next: Access },
): Promise<void> {
  await db.transaction().execute(async (within) => {
    await lockAccess(within);
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
