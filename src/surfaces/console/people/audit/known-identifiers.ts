import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import type { ConsoleServices } from '../../context.ts';

const pageSize = 100;
/** How many users are compared: reading more would take longer than the page may. */
const maxPages = 20;

/**
 * The users whose address or number an entry names by its hash, by the hash. What belongs to nobody
 * stays unknown: the log has no addresses, and only those of users can be hashed again.
 */
export async function knownIdentifiers(
  { users, otp }: Pick<ConsoleServices, 'users' | 'otp'>,
  entries: readonly AuditEventView[],
): Promise<ReadonlyMap<string, ListedUser>> {
  const wanted = new Set(
    entries.flatMap(({ target }) => (target?.kind === 'identifier' ? [target.id] : [])),
  );
  const found = new Map<string, ListedUser>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && found.size < wanted.size; page += 1) {
    const { data, next_cursor: next } = await users.list({ limit: pageSize, cursor });
    for (const user of data)
      for (const { kind, key } of user.identities) {
        const hash = kind === 'idp' ? undefined : otp.hashOf({ kind, key });
        if (hash !== undefined && wanted.has(hash)) found.set(hash, user);
      }
    if (next === null) break;
    cursor = next;
  }
  return found;
}
