import type { AuditEventView } from '../../../areas/audit/schemas.ts';
import { isUuid } from '../../../lib/ids.ts';
import type { ConsoleServices } from '../context.ts';
import { nameOf } from './labels.ts';

/** Names of people, by their ids. */
export type UserNames = ReadonlyMap<string, string>;

/** The names of the people with these ids, as far as there are such. */
export async function readNames(
  { users }: Pick<ConsoleServices, 'users'>,
  ids: readonly string[],
): Promise<UserNames> {
  const found = await users.findAll([...new Set(ids.filter(isUuid))]);
  return new Map(found.map((user) => [user.id, nameOf(user)]));
}

/** The ids of the people in entries of the audit log: who acted, and who was acted on. */
export const userIdsIn = (entries: readonly AuditEventView[]): string[] =>
  entries
    .flatMap(({ actor, target }) => [actor, target])
    .flatMap((party) => (party?.kind === 'user' && party.id !== null ? [party.id] : []));
