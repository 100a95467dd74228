import { sql } from 'kysely';
import type { Role } from '../../../../lib/access.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { userErrors } from '../errors.ts';

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

/**
 * Serialises changes of access across replicas, until the transaction ends: otherwise two admins
 * who remove each other's role at the same moment would both succeed, and changes could be lost.
 */
export async function lockAccess(within: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${accessLock})`.execute(within);
}

/** Admins who can sign in and stay, without this user, oldest first. */
export async function otherAdmins(within: Database, id: string, limit = 1000): Promise<string[]> {
  const rows = await within
    .selectFrom('users')
    .select('id')
    .where('id', '<>', id)
    .where('disabled_at', 'is', null)
    .where('deletion_due_at', 'is', null)
    // Makes the index of users with roles usable.
    .where(sql<boolean>`roles <> '{}'`)
    .where(sql<boolean>`'admin' = any(roles)`)
    .where(
      sql<boolean>`exists (
      select from identities where user_id = users.id and verified_at is not null)`,
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Whether another admin can sign in, and stays. Call it under the lock. */
export const hasOtherAdmin = async (within: Database, id: string): Promise<boolean> =>
  (await otherAdmins(within, id, 1)).length > 0;

/**
 * Changes a user's access in a transaction. `decide` gets the current access of the users in `ids`
 * that exist. Throws `users.last_admin` for a change after which no admin could sign in.
 */
export async function changeAccess(
  within: Database,
  ids: readonly string[],
  decide: (current: ReadonlyMap<string, Access>) => { id: string; next: Access },
): Promise<void> {
  await lockAccess(within);
  const rows = await within
    .selectFrom('users')
    .select(['id', 'roles', 'disabled_at'])
    .where('id', 'in', ids)
    .execute();
  const current = new Map(
    rows.map((row) => [row.id, { roles: row.roles, disabledAt: row.disabled_at }]),
  );
  const { id, next } = decide(current);
  const before = current.get(id);
  const isLoss = before !== undefined && isActingAdmin(before) && !isActingAdmin(next);
  if (isLoss && !(await hasOtherAdmin(within, id))) throw userErrors.last_admin();
  await within
    .updateTable('users')
    .set({ roles: [...next.roles], disabled_at: next.disabledAt })
    .where('id', '=', id)
    .execute();
}
