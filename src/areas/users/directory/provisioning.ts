import { sql } from 'kysely';
import type { Role } from '../../../lib/access.ts';
import { errorCode } from '../../../platform/database/failure.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { VerifiedIdentity } from '../store.ts';

/** A user whom an admin creates: the identities are not proved yet. */
export interface ProvisionedUser {
  id: string;
  name: string | null;
  roles: readonly Role[];
  externalId: string | null;
  at: Date;
  /** When the user was locked out; default: not. */
  disabledAt?: Date | null;
  identities: readonly (VerifiedIdentity & { id: string })[];
}

const uniqueViolation = '23505';

async function isOwned(within: Database, { kind, key }: VerifiedIdentity): Promise<boolean> {
  const row = await within
    .selectFrom('identities')
    .select('id')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

async function insertProvisioned(
  within: Database,
  { id, name, roles, externalId, at, disabledAt = null, identities }: ProvisionedUser,
): Promise<void> {
  await within
    .insertInto('users')
    .values({
      id,
      name,
      picture: null,
      roles: [...roles],
      external_id: externalId,
      created_at: at,
      last_seen_at: null,
      disabled_at: disabledAt,
    })
    .execute();
  await within
    .insertInto('identities')
    .values(
      identities.map((identity) => ({
        ...identity,
        user_id: id,
        verified_at: null,
        created_at: at,
      })),
    )
    .execute();
}

/**
 * Creates a user with identities that are not proved; `record` runs in the same transaction. False
 * when an identity or the external id belongs to somebody, proved or not.
 */
export async function provisionUser(
  db: Database,
  user: ProvisionedUser,
  record: (within: Database) => Promise<unknown>,
): Promise<boolean> {
  try {
    return await db.transaction().execute(async (within) => {
      for (const identity of user.identities) if (await isOwned(within, identity)) return false;
      await insertProvisioned(within, user);
      await record(within);
      return true;
    });
  } catch (error) {
    if (errorCode(error) === uniqueViolation) return false;
    throw error;
  }
}

/** Whether `claimIdentity` would give this identity to a user whom an admin has created. */
export async function isClaimable(
  db: Database,
  { kind, key }: Pick<VerifiedIdentity, 'kind' | 'key'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from identities where kind = ${kind} and key = ${key} and verified_at is null
      and not exists (
        select from identities as owned where owned.verified_at is not null
          and owned.user_id = identities.user_id)
    limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Gives a proved identity to the user for whom an admin has entered it, and drops that user's other
 * identities that are not proved. Only a user whom nobody has signed in as yet can be claimed:
 * otherwise somebody could enter a victim's address and wait for the victim (see "pre-hijacking",
 * Sudhodanan and Paverd 2022). Returns the user's id; undefined when nobody has entered it. Of
 * several calls at once, one gets the id.
 */
export async function claimIdentity(
  db: Database,
  { kind, key, value }: VerifiedIdentity,
  at: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    with claimed as (
      update identities set verified_at = ${at}, value = ${value}
      where kind = ${kind} and key = ${key} and verified_at is null and not exists (
        select from identities as owned where owned.verified_at is not null and (
          owned.user_id = identities.user_id
          or (owned.kind = ${kind} and owned.key = ${key})))
      returning id, user_id
    ), dropped as (
      delete from identities using claimed
      where identities.user_id = claimed.user_id and identities.id <> claimed.id
        and identities.verified_at is null
    )
    select user_id from claimed`.execute(db);
  return rows[0]?.user_id;
}
