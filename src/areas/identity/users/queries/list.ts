import { sql } from 'kysely';
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
  /** The id of the last user of the previous page. */
  cursor?: string | undefined;
}

/** The ids of at most `limit` matching users, newest first: version 7 UUIDs sort by time. */
export async function listUserIds(
  db: Database,
  limit: number,
  { text: searchText = '', role, disabled, cursor }: UserFilter,
): Promise<string[]> {
  const text = storableText(searchText).trim();
  let query = db.selectFrom('users').select('id').orderBy('id', 'desc').limit(limit);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  // The first condition makes the partial index usable.
  if (role !== undefined)
    query = query.where(sql<boolean>`roles <> '{}'`).where(sql<boolean>`${role} = any(roles)`);
  if (disabled !== undefined) query = query.where('disabled_at', disabled ? 'is not' : 'is', null);
  const isFiltered = role !== undefined || disabled !== undefined;
  if (text !== '')
    query = query.where(searchUsers(text, isFiltered ? undefined : { limit, before: cursor }));
  return (await query.execute()).map(({ id }) => id);
}
