import { type RawBuilder, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { uuidv7 } from '../../../lib/ids.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import { errorCode } from '../../../platform/database/failure.ts';
import { type ProvisionedUser, provisionUser } from '../users/queries/provisioner.ts';
import { userErrors } from '../users/errors.ts';
import type { VerifiedIdentity } from '../users/model.ts';
import type { Tables } from '../../../platform/database/tables.ts';

/** A user as SCIM shows it. */
export interface ScimPerson {
  id: string;
  userName: string;
  externalId: string | null;
  name: string | null;
  givenName: string | null;
  familyName: string | null;
  active: boolean;
  /** The primary one first. */
  emails: { value: string; primary: boolean }[];
  mobile: string | null;
  isMobileProved: boolean;
  createdAt: Date;
  modifiedAt: Date;
}

/** What changes; missing members stay. */
export interface PersonChanges {
  userName?: string;
  externalId?: string | null;
  name?: string | null;
  givenName?: string | null;
  familyName?: string | null;
  email?: VerifiedIdentity;
  /** Null drops an unverified number. */
  mobile?: VerifiedIdentity | null;
}

type Record = (within: Database) => Promise<unknown>;

interface PageRequest {
  where: RawBuilder<boolean> | undefined;
  /** Counts from 0. */
  offset: number;
  limit: number;
}

interface ScimPage {
  total: number;
  people: ScimPerson[];
}

const uniqueViolation = '23505';
const emailList = z.array(z.object({ value: z.string(), primary: z.boolean() }));

const toPerson = (row: Selectable<Tables['scim_people']>): ScimPerson => ({
  id: row.id,
  userName: row.user_name,
  externalId: row.external_id,
  name: row.name,
  givenName: row.given_name,
  familyName: row.family_name,
  active: row.active,
  emails: emailList.parse(row.emails),
  mobile: row.phone,
  isMobileProved: row.phone_verified,
  createdAt: row.created_at,
  modifiedAt: row.modified_at,
});

const owned = (within: Database, keys: readonly string[], userId: string) =>
  within
    .selectFrom('identities')
    .select(['user_id', 'kind', 'key'])
    .where('kind', 'in', ['email', 'phone'])
    .where('key', 'in', keys)
    .orderBy(sql`user_id = ${userId}`)
    .execute();

/** Refuses the user name that is the address or number of someone else. Throws `users.taken`. */
async function requireOwnName(within: Database, userId: string, userName: string): Promise<void> {
  const owners = await owned(within, [userName.toLowerCase()], userId);
  if (owners.some(({ user_id: owner }) => owner !== userId)) throw userErrors.taken();
}

/** Replaces the unverified identities of a kind. Verified identities stay with the person. */
async function setIdentity(
  within: Database,
  userId: string,
  { identity, kind, at }: { identity: VerifiedIdentity | null; kind: 'email' | 'phone'; at: Date },
): Promise<void> {
  const owners = identity === null ? [] : await owned(within, [identity.key], userId);
  const same = owners.filter((owner) => owner.kind === kind);
  if (same.some(({ user_id: owner }) => owner !== userId)) throw userErrors.taken();
  await within
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('verified_at', 'is', null)
    .$if(identity !== null, (query) => query.where('key', '<>', identity?.key ?? ''))
    .execute();
  if (identity === null || same.length > 0) return;
  await within
    .insertInto('identities')
    .values({
      id: uuidv7(at.getTime()),
      user_id: userId,
      kind,
      key: identity.key,
      value: identity.value,
      verified_at: null,
      created_at: at,
    })
    .execute();
}

/** The columns of `scim_users` that change. */
const scimColumns = ({ userName, givenName, familyName, email, mobile }: PersonChanges) => ({
  ...(userName === undefined ? {} : { user_name: userName, user_name_key: userName.toLowerCase() }),
  ...(givenName === undefined ? {} : { given_name: givenName }),
  ...(familyName === undefined ? {} : { family_name: familyName }),
  ...(email === undefined ? {} : { email_key: email.key }),
  ...(mobile === undefined ? {} : { phone_key: mobile?.key ?? null }),
});

const noDetails = {
  user_name: null,
  user_name_key: null,
  given_name: null,
  family_name: null,
  email_key: null,
  phone_key: null,
};

type DetailColumns = Partial<Omit<Selectable<Tables['scim_users']>, 'user_id' | 'updated_at'>>;

async function setDetails(
  within: Database,
  userId: string,
  columns: DetailColumns,
  at: Date,
): Promise<void> {
  await within
    .insertInto('scim_users')
    .values({ user_id: userId, ...noDetails, ...columns, updated_at: at })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ ...columns, updated_at: at }),
    )
    .execute();
}

async function setProfile(
  within: Database,
  userId: string,
  { name, externalId }: PersonChanges,
): Promise<void> {
  const columns = {
    ...(name === undefined ? {} : { name }),
    ...(externalId === undefined ? {} : { external_id: externalId }),
  };
  if (Object.keys(columns).length > 0)
    await within.updateTable('users').set(columns).where('id', '=', userId).execute();
}

/** Runs a part of a transaction; throws `users.taken` when two users would have the same. */
async function unlessTaken(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    throw errorCode(error) === uniqueViolation ? userErrors.taken() : error;
  }
}

async function applyChanges(
  within: Database,
  id: string,
  changes: PersonChanges,
  at: Date,
): Promise<void> {
  const { userName, email, mobile } = changes;
  if (userName !== undefined) await requireOwnName(within, id, userName);
  if (email !== undefined) await setIdentity(within, id, { identity: email, kind: 'email', at });
  if (mobile !== undefined) await setIdentity(within, id, { identity: mobile, kind: 'phone', at });
  await setProfile(within, id, changes);
}

/** Users as SCIM reads and changes them. */
export const createScimStore = (db: Database) => ({
  async find(id: string): Promise<ScimPerson | undefined> {
    const query = db.selectFrom('scim_people').selectAll().where('id', '=', id);
    const row = await query.executeTakeFirst();
    return row === undefined ? undefined : toPerson(row);
  },

  /** Matching users by id, and how many there are. */
  async list({ where, offset, limit }: PageRequest, signal: AbortSignal): Promise<ScimPage> {
    const reads = cancellable(db, signal);
    const condition = where ?? sql<boolean>`true`;
    const counted = await reads
      .selectFrom('scim_people')
      .select(sql<string>`count(*)`.as('total'))
      .where(condition)
      .executeTakeFirst();
    const total = Number(counted?.total ?? 0);
    if (limit === 0 || offset >= total) return { total, people: [] };
    const rows = await reads
      .selectFrom('scim_people')
      .selectAll()
      .where(condition)
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute();
    return { total, people: rows.map(toPerson) };
  },

  /** The user deleted over SCIM who alone has these addresses and numbers. */
  async removedOwner(identities: readonly VerifiedIdentity[]): Promise<string | undefined> {
    const rows = await db
      .selectFrom('identities')
      .leftJoin('scim_users', 'scim_users.user_id', 'identities.user_id')
      .select(['identities.user_id as id', 'removed_at'])
      .where((where) =>
        where.or(
          identities.map(({ kind, key }) =>
            where.and([where('kind', '=', kind), where('key', '=', key)]),
          ),
        ),
      )
      .execute();
    const owners = new Set(rows.map(({ id }) => id));
    const [owner] = rows;
    return owners.size === 1 && owner?.removed_at != null ? owner.id : undefined;
  },

  /** Creates a user with unverified identities. Throws `users.taken`. */
  async create(user: ProvisionedUser, changes: PersonChanges, record: Record): Promise<void> {
    const details = scimColumns(changes);
    const isCreated = await provisionUser(db, user, async (within) => {
      if (changes.userName !== undefined) await requireOwnName(within, user.id, changes.userName);
      await setDetails(within, user.id, details, user.at);
      await record(within);
    });
    if (!isCreated) throw userErrors.taken();
  },

  /**
   * Changes a user. A new address or number is unverified: see `claimIdentity` for who can sign
   * in with it. Throws `users.taken`, `.not_found`.
   */
  change: (within: Database, id: string, changes: PersonChanges, at: Date): Promise<void> =>
    unlessTaken(async () => {
      const row = await within
        .selectFrom('users')
        .select('id')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (row === undefined) throw userErrors.not_found();
      await applyChanges(within, id, changes, at);
      await setDetails(within, id, scimColumns(changes), at);
    }),

  /** Hides a user from SCIM, and frees the user name and the external id. */
  async remove(within: Database, id: string, at: Date): Promise<void> {
    await setProfile(within, id, { externalId: null });
    await setDetails(within, id, { user_name: null, user_name_key: null, removed_at: at }, at);
  },

  /** Brings a removed user back. Of several calls at once, one does; others get `users.taken`. */
  restore: (within: Database, id: string, changes: PersonChanges, at: Date): Promise<void> =>
    unlessTaken(async () => {
      const { numUpdatedRows } = await within
        .updateTable('scim_users')
        .set({ ...noDetails, ...scimColumns(changes), removed_at: null, updated_at: at })
        .where('user_id', '=', id)
        .where('removed_at', 'is not', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw userErrors.taken();
      await applyChanges(within, id, changes, at);
    }),
});
