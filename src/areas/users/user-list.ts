import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { Role } from '../../lib/access.ts';
import { isUuid } from '../../lib/ids.ts';

export interface UserFilter {
  /** What an address, a number or a name begins with, in any case; or a whole id. */
  text?: string | undefined;
  role?: Role | undefined;
  /** Those who are shut out, or those who are not. */
  disabled?: boolean | undefined;
  /** The id of the last one that was seen. */
  cursor?: string | undefined;
}

const numberForm = /^[+\d][\d\s()./-]*$/;
/** Sorts after every other character, in bytes too. */
const last = '\u{10FFFF}';

/** PostgreSQL takes neither NUL nor half characters. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

/** What the keys of identities may begin with: an address as it is, a number also as E.164. */
function keyPrefixes(text: string): string[] {
  const digits = text.replace(/\D/g, '').replace(/^00/, '');
  return [text.toLowerCase(), ...(numberForm.test(text) && digits !== '' ? [`+${digits}`] : [])];
}

/** The ids of people whom a text names. In ranges of bytes: so both indexes serve, whatever the collation and the plan. */
function named(text: string): RawBuilder<string> {
  const keys = keyPrefixes(text).map(
    (prefix) => sql`
    select user_id as id from identities where kind in ('email', 'phone') and verified_at is not null and key ~>=~ ${prefix} and key ~<~ ${prefix + last}`,
  );
  return sql<string>`${sql.join(keys, sql` union `)} union select id from users where name is not null and lower(name) ~>=~ lower(${text}) and lower(name) ~<~ (lower(${text}) || ${last})`;
}

/** The ids of at most `limit` people who match, newest first. Ids carry the time, so that they are the order. */
export async function listUserIds(
  db: Database,
  limit: number,
  { text: given = '', role, disabled, cursor }: UserFilter,
): Promise<string[]> {
  const text = storable(given).trim();
  let query = db.selectFrom('users').select('id').orderBy('id', 'desc').limit(limit);
  if (cursor !== undefined) query = query.where('id', '<', cursor);
  // The first half names the partial index.
  if (role !== undefined)
    query = query.where(sql<boolean>`roles <> '{}'`).where(sql<boolean>`${role} = any(roles)`);
  if (disabled !== undefined) query = query.where('disabled_at', disabled ? 'is not' : 'is', null);
  if (isUuid(text)) query = query.where('id', '=', text);
  else if (text !== '') query = query.where(sql<boolean>`id in (${named(text)})`);
  return (await query.execute()).map(({ id }) => id);
}
