import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../../../lib/access.ts';
import { storableText } from '../../../../lib/text/storable-text.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { searchUsers } from './search.ts';

export interface UserFilter {
  /** Any part of a name, an address or a number, case-insensitive; or a whole id. */
  text?: string | undefined;
  role?: Role | undefined;
  /** True: only disabled users; false: only enabled ones. */
  disabled?: boolean | undefined;
}

/** Newest account, newest sign-in or name first. */
export const userOrders = ['created', 'seen', 'name'] as const;
export type UserOrder = (typeof userOrders)[number];

/** Which part of a list is read. */
export interface UserSlice {
  /** The id of the last user of the previous page, in the order of `created`. */
  cursor?: string | undefined;
  /** Default: `created`. */
  order?: UserOrder | undefined;
  /** How many users are skipped. */
  offset?: number | undefined;
}

/** `newest`: see `searchUsers`; for a list whose only condition is a text. */
function matching(
  db: Database,
  { text: searchText = '', role, disabled }: UserFilter,
  newest?: Parameters<typeof searchUsers>[1],
) {
  const text = storableText(searchText).trim();
  let query = db.selectFrom('users');
  // The first condition makes the partial index usable.
  if (role !== undefined)
    query = query.where(sql<boolean>`roles <> '{}'`).where(sql<boolean>`${role} = any(roles)`);
  if (disabled !== undefined) query = query.where('disabled_at', disabled ? 'is not' : 'is', null);
  const isFiltered = role !== undefined || disabled !== undefined;
  return text === '' ? query : query.where(searchUsers(text, isFiltered ? undefined : newest));
}

const orders: Readonly<Record<Exclude<UserOrder, 'created'>, RawBuilder<unknown>>> = {
  seen: sql`last_seen_at desc nulls last`,
  name: sql`fold_case(name) nulls last`,
};

/** The ids of at most `limit` matching users: version 7 UUIDs sort by the time of creation. */
export async function listUserIds(
  db: Database,
  limit: number,
  { cursor, order = 'created', offset = 0, ...filter }: UserFilter & UserSlice,
): Promise<string[]> {
  const newest = order === 'created' ? { limit: limit + offset, before: cursor } : undefined;
  let query = matching(db, filter, newest).select('id').limit(limit).offset(offset);
  if (order !== 'created') query = query.orderBy(orders[order]);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  return (await query.orderBy('id', 'desc').execute()).map(({ id }) => id);
}

/** How many users match. */
export async function countUsers(db: Database, filter: UserFilter): Promise<number> {
  const query = matching(db, filter).select(sql<number>`count(*)::int`.as('total'));
  return (await query.executeTakeFirstOrThrow()).total;
}

/** How many users there are, with a role, and disabled. */
export interface UserTotals {
  all: number;
  admin: number;
  viewer: number;
  disabled: number;
}

export const countTotals = (db: Database): Promise<UserTotals> =>
  db
    .selectFrom('users')
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where 'admin' = any(roles)))::int`.as('admin'),
      sql<number>`(count(*) filter (where 'viewer' = any(roles)))::int`.as('viewer'),
      sql<number>`count(disabled_at)::int`.as('disabled'),
    ])
    .executeTakeFirstOrThrow();
