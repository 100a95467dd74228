import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../../../lib/access.ts';
import { emailKey } from '../../../../lib/identifiers.ts';
import { isUuid } from '../../../../lib/ids.ts';
import { normalizePasted } from '../../../../lib/text/pasted.ts';
import { storableText } from '../../../../lib/text/storable-text.ts';
import type { Database } from '../../../../platform/database/database.ts';

export interface UserFilter {
  /** The start of an address, a number or a name, case-insensitive; or a whole id. */
  text?: string | undefined;
  role?: Role | undefined;
  /** True: only disabled users; false: only enabled ones. */
  disabled?: boolean | undefined;
  /** The id of the last user of the previous page. */
  cursor?: string | undefined;
}

const phonePattern = /^[+\d][\d\s()./-]*$/;
/** Sorts after every other character, even bytewise. */
const last = '\u{10FFFF}';

/** Prefixes to look for in identity keys: an address as entered, a number also as E.164. */
function keyPrefixes(text: string): string[] {
  const typed = normalizePasted(text).trim();
  const digits = typed.replace(/\D/g, '').replace(/^00/, '');
  return [emailKey(text), ...(phonePattern.test(typed) && digits !== '' ? [`+${digits}`] : [])];
}

/** Selects ids by prefix. Bytewise ranges use the indexes regardless of collation and plan. */
function idsMatching(text: string): RawBuilder<string> {
  const keys = keyPrefixes(text).map(
    (prefix) => sql`
    select user_id as id from identities where kind in ('email', 'phone')
      and verified_at is not null and key ~>=~ ${prefix} and key ~<~ ${prefix + last}`,
  );
  return sql<string>`${sql.join(keys, sql` union `)} union
    select id from users where name is not null
      and fold_case(name) ~>=~ fold_case(${text})
      and fold_case(name) ~<~ (fold_case(${text}) || ${last})`;
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
  if (isUuid(text)) query = query.where('id', '=', text);
  else if (text !== '') query = query.where(sql<boolean>`id in (${idsMatching(text)})`);
  return (await query.execute()).map(({ id }) => id);
}
