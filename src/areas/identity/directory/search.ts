import { type RawBuilder, sql } from 'kysely';
import { emailKey } from '../../../lib/identifiers.ts';
import { isUuid } from '../../../lib/ids.ts';
import { normalizePasted } from '../../../lib/text/pasted.ts';
import { storableText } from '../../../lib/text/storable-text.ts';

const phonePattern = /^[+\d][\d\s()./-]*$/;

const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The texts to look for in addresses and numbers: as entered, and a number without separators. */
function keysOf(text: string): string[] {
  const typed = normalizePasted(text).trim();
  const digits = typed.replace(/\D/g, '').replace(/^00/, '');
  const isNumber = phonePattern.test(typed) && digits.length > 2;
  return [emailKey(text), ...(isNumber ? [digits] : [])];
}

/**
 * The condition that the name, an address or a number of a user contains a text, case-insensitive;
 * or that it is the user's id. Uses the trigram indexes where the database has them (pg_trgm).
 */
export function searchUsers(entered: string): RawBuilder<boolean> {
  const text = storableText(entered).trim();
  if (isUuid(text)) return sql<boolean>`id = ${text}`;
  const keys = keysOf(text).map(
    (key) => sql`select user_id from identities
      where kind in ('email', 'phone') and key like ${anywhere(key)}`,
  );
  return sql<boolean>`id in (${sql.join(keys, sql` union `)} union
    select users.id from users where fold_case(users.name) like fold_case(${anywhere(text)}))`;
}
