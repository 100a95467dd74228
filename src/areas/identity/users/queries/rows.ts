import type { Selectable } from 'kysely';
import { z } from 'zod';
import { type Role, roles } from '../../../../lib/access.ts';
import type { User, VerifiedIdentity } from '../model.ts';
import type { Tables } from '../../../../platform/database/tables.ts';

/** SQL for a user's verified identities as a JSON list, oldest first. */
export const identityListSql = `coalesce(
  jsonb_agg(jsonb_build_object('kind', kind, 'key', key, 'value', value) order by id), '[]')`;

const identityList = z.array(
  z.object({ kind: z.enum(['email', 'phone', 'idp']), key: z.string(), value: z.string() }),
);

const knownRoles = z
  .array(z.enum(roles).or(z.string()))
  .transform((list) => list.filter((role): role is Role => roles.some((known) => known === role)));

export type UserRow = Selectable<Tables['users']> & { identities: unknown };

/** A row of `users` with the list that `identityListSql` selects. Unknown roles are left out. */
export function toUser(row: UserRow): User {
  const identities: VerifiedIdentity[] = identityList.parse(row.identities);
  return {
    id: row.id,
    name: row.name,
    picture: row.picture,
    roles: knownRoles.parse(row.roles),
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    identities,
  };
}
