import { sql } from 'kysely';
import type { Role } from '../../../../lib/access.ts';
import { createBatcher } from '../../../../platform/database/batcher.ts';
import { errorCode } from '../../../../platform/database/failure.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { VerifiedIdentity } from '../model.ts';

/** A user whom an admin creates: the identities are unverified. */
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

const nameOf = ({ kind, key }: Pick<VerifiedIdentity, 'kind' | 'key'>): string => `${kind} ${key}`;

/** Those of the identities that somebody has, verified or not. */
async function ownedAmong(
  within: Database,
  identities: readonly VerifiedIdentity[],
): Promise<Set<string>> {
  const rows = await within
    .selectFrom('identities')
    .select(['kind', 'key'])
    .where(sql<boolean>`key = any(${identities.map(({ key }) => key)}::text[])`)
    .execute();
  return new Set(rows.map(nameOf));
}

/** Each table's rows as one parameter: building a statement of many values takes longer. */
async function insertProvisioned(
  within: Database,
  users: readonly ProvisionedUser[],
): Promise<void> {
  const rows = users.map(({ id, name, roles, externalId, at, disabledAt = null }) => ({
    id,
    name,
    roles,
    external_id: externalId,
    created_at: at,
    disabled_at: disabledAt,
  }));
  await sql`insert into users (id, name, roles, external_id, created_at, disabled_at)
    select id, name, roles, external_id, created_at, disabled_at
    from jsonb_populate_recordset(null::users, ${JSON.stringify(rows)}::jsonb)`.execute(within);
  const identities = users.flatMap(({ id, at, identities: own }) =>
    own.map((identity) => ({ ...identity, user_id: id, created_at: at })),
  );
  await sql`insert into identities (id, user_id, kind, key, value, created_at)
    select id, user_id, kind, key, value, created_at
    from jsonb_populate_recordset(null::identities, ${JSON.stringify(identities)}::jsonb)`.execute(
    within,
  );
}

/** Those of the users whose identities nobody has; the first of several with the same one. */
async function acceptedAmong(
  within: Database,
  users: readonly ProvisionedUser[],
): Promise<Set<ProvisionedUser>> {
  const owned = await ownedAmong(
    within,
    users.flatMap(({ identities }) => identities),
  );
  const accepted = new Set<ProvisionedUser>();
  for (const user of users) {
    if (user.identities.some((identity) => owned.has(nameOf(identity)))) continue;
    accepted.add(user);
    for (const identity of user.identities) owned.add(nameOf(identity));
  }
  return accepted;
}

interface Provision<Entry> {
  user: ProvisionedUser;
  /** For the audit log. */
  entry: Entry;
}

/**
 * Creates users with unverified identities. Those added in one turn of the event loop
 * share a transaction, in which `record` gets the entries of the created ones. Resolves with false
 * when an identity or the external id belongs to somebody, verified or not.
 */
export function createProvisioner<Entry>(
  db: Database,
  record: (within: Database, entries: readonly Entry[]) => Promise<unknown>,
) {
  return createBatcher(async (batch: readonly Provision<Entry>[]): Promise<boolean[]> => {
    const users = batch.map(({ user }) => user);
    try {
      return await db.transaction().execute(async (within) => {
        const accepted = await acceptedAmong(within, users);
        if (accepted.size > 0) {
          await insertProvisioned(within, [...accepted]);
          await record(
            within,
            batch.filter(({ user }) => accepted.has(user)).map(({ entry }) => entry),
          );
        }
        return users.map((user) => accepted.has(user));
      });
    } catch (error) {
      // With several users, each is tried again alone.
      if (users.length === 1 && errorCode(error) === uniqueViolation) return [false];
      throw error;
    }
  });
}

/**
 * Creates one user like `createProvisioner`; `record` runs in the same transaction. Returns false
 * when an identity or the external id belongs to somebody, verified or not.
 */
export const provisionUser = (
  db: Database,
  user: ProvisionedUser,
  record: (within: Database) => Promise<unknown>,
): Promise<boolean> => createProvisioner(db, record).add({ user, entry: undefined });
