import { type RawBuilder, sql } from 'kysely';
import { emailKey } from '../../../../lib/identifiers.ts';
import { isUuid } from '../../../../lib/ids.ts';
import { normalizePasted } from '../../../../lib/text/pasted.ts';
import { storableText } from '../../../../lib/text/storable-text.ts';
import { contains } from '../../../../platform/database/contains.ts';

const phonePattern = /^[+\d][\d\s()./-]*$/;

/** The texts to look for in addresses and numbers: as entered, and a number without separators. */
function keysOf(text: string): string[] {
  const typed = normalizePasted(text).trim();
  const digits = typed.replace(/\D/g, '').replace(/^00/, '');
  const isNumber = phonePattern.test(typed) && digits.length > 2;
  return [emailKey(text), ...(isNumber ? [digits] : [])];
}

/** The newest matches only, for a list without other conditions. */
interface Newest {
  limit: number;
  /** Only users with a smaller id. */
  before?: string | undefined;
}

/**
 * The condition that the name, an address or a number of a user contains a text, case-insensitive;
 * or that it is the user's id. Uses the trigram indexes where the database has them (pg_trgm).
 * `newest` keeps a text that nearly everybody has, such as `.com`, from collecting all of them.
 */
export function searchUsers(entered: string, newest?: Newest): RawBuilder<boolean> {
  const text = storableText(entered).trim();
  if (isUuid(text)) return sql<boolean>`id = ${text}`;
  const part = (id: RawBuilder<unknown>, from: RawBuilder<unknown>) => {
    if (newest === undefined) return sql`select ${id} from ${from}`;
    const before = newest.before === undefined ? sql`` : sql`and ${id} < ${newest.before}`;
    return sql`(select distinct ${id} from ${from} ${before}
      order by ${id} desc limit ${newest.limit})`;
  };
  const keys = keysOf(text).map((key) =>
    part(
      sql`identities.user_id`,
      sql`identities where kind in ('email', 'phone') and key like ${contains(key)}`,
    ),
  );
  const names = part(
    sql`users.id`,
    sql`users where fold_case(users.name) like fold_case(${contains(text)})`,
  );
  return sql<boolean>`id in (${sql.join([...keys, names], sql` union `)})`;
}
