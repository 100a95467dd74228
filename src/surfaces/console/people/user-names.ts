import type { AuditEventView } from '../../../areas/audit/schemas.ts';
import { isUuid } from '../../../lib/ids.ts';
import type { ConsoleServices } from '../context.ts';
import { nameOf } from './labels.tsx';

/** Display names of users by id. */
export type UserNames = ReadonlyMap<string, string>;

/** Reads the names of the users with these ids; unknown ids are left out. */
export async function readNames(
  { users }: Pick<ConsoleServices, 'users'>,
  ids: readonly string[],
): Promise<UserNames> {
  const found = await users.findAll([...new Set(ids.filter(isUuid))]);
  return new Map(found.map((user) => [user.id, nameOf(user)]));
}

/** The ids of the users in entries of the audit log, as actors and targets. */
export const userIdsIn = (entries: readonly AuditEventView[]): string[] =>
  entries
    .flatMap(({ actor, target }) => [actor, target])
    .flatMap((party) => (party?.kind === 'user' && party.id !== null ? [party.id] : []));
