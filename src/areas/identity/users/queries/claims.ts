import { sql } from 'kysely';
import type { Database } from '../../../../platform/database/database.ts';
import type { VerifiedIdentity } from '../model.ts';

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
 * Gives a verified identity to the user for whom an admin has entered it, and drops that user's
 * other unverified identities. Only a user whom nobody has signed in as can be claimed:
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
