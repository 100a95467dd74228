import { sql } from 'kysely';
import { roles } from '../../../lib/access.ts';
import { emailIdentity, phoneIdentifier } from '../../../lib/identifiers.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { errorCode } from '../../../platform/database/failure.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import {
  bindResource,
  type BoundResource,
  type ResourceService,
} from '../../../platform/resource/resource.ts';
import { createTableService, viewFromRow } from '../../../platform/resource/table-service.ts';
import type { Resources } from '../../../platform/resources.ts';
import {
  RequestValidationError,
  valueError,
} from '../../../platform/validation/validation-error.ts';
import type { Audit, AuditEntry } from '../../audit/service.ts';
import type { OwnAccountServices } from '../account/compose.ts';
import type { UserAdmin } from './access.ts';
import { userErrors } from '../users/errors.ts';
import type { Users } from '../users/service.ts';
import type { ReviewAccount } from '../users/policies/review-account.ts';
import type { VerifiedIdentity } from '../users/model.ts';
import { createProvisioner, type ProvisionedUser } from '../users/queries/provisioner.ts';
import { searchUsers } from '../users/queries/search.ts';
import { userResource } from './resource.ts';
import { type CreateUserBody, type UpdateUserBody, UserView } from './schemas.ts';

const invalid = (member: string, message: string) =>
  new RequestValidationError([valueError(['body', member], message)]);

/** The identities of a body. Throws a RequestValidationError that names the invalid member. */
async function identitiesOf({ email, phone }: CreateUserBody): Promise<VerifiedIdentity[]> {
  const address = email === undefined ? undefined : emailIdentity(email);
  if (email !== undefined && address === undefined)
    throw invalid('email', 'must be an email address, such as name@example.com');
  const number = phone === undefined ? undefined : await phoneIdentifier(phone);
  if (phone !== undefined && number?.isRefused !== false)
    throw invalid('phone', 'must be an international number, such as +1 415 555 0132');
  if (address === undefined && number === undefined)
    throw invalid('email', 'or `phone` must be given');
  return [address, number].flatMap((each) =>
    each === undefined ? [] : [{ kind: each.kind, key: each.key, value: each.value }],
  );
}

/** A user who has just been created, without another query. */
const createdView = (user: ProvisionedUser): UserView => ({
  id: user.id,
  name: user.name,
  email: user.identities.find(({ kind }) => kind === 'email')?.value ?? null,
  email_verified: false,
  phone: user.identities.find(({ kind }) => kind === 'phone')?.key ?? null,
  phone_verified: false,
  roles: [...user.roles],
  disabled: false,
  external_id: user.externalId,
  created_at: user.at.toISOString(),
  last_seen_at: null,
});

const profileOf = ({ name, external_id: externalId }: UpdateUserBody) => ({
  ...(name === undefined ? {} : { name }),
  ...(externalId === undefined ? {} : { external_id: externalId }),
});

interface DirectoryParts extends Resources {
  audit: Audit;
  users: Users;
  review: ReviewAccount;
  userAdmin: UserAdmin;
  ownAccount: OwnAccountServices;
}

/** Users as a resource: list, search, create, change and delete them. */
export function createDirectory(parts: DirectoryParts): BoundResource {
  const { db, clock, keys, audit, users, review, userAdmin, ownAccount } = parts;
  const provisioning = createProvisioner(db, (within, entries: readonly AuditEntry[]) =>
    audit.recordIn(within, entries),
  );
  const reads = createTableService(userResource, {
    db,
    clock,
    keys,
    audit,
    table: 'user_directory',
    kind: 'user',
    actions: {},
    toView: (row) => UserView.parse(viewFromRow(userResource, row)),
    filters: { role: (role) => sql<boolean>`${role} = any(roles)` },
    sorts: { name: sql`coalesce(fold_case(name), '')` },
    search: searchUsers,
  });

  const service: ResourceService<UserView, CreateUserBody, UpdateUserBody> = {
    list: reads.list,
    get: reads.get,
    check: async (body) => void (await identitiesOf(body)),

    async create(body, by) {
      const identities = await identitiesOf(body);
      review.requireNoRole({ identities }, body.roles);
      const now = clock.now();
      const user = {
        id: uuidv7(now),
        name: body.name ?? null,
        roles: [...new Set(body.roles)],
        externalId: body.external_id ?? null,
        at: new Date(now),
        identities: identities.map((identity) => ({ ...identity, id: uuidv7(now) })),
      };
      const target = { kind: 'user', id: user.id };
      const entry = {
        ...by,
        action: 'user.created',
        target,
        details: { roles: user.roles },
      } as const;
      if (!(await provisioning.add({ user, entry }))) throw userErrors.taken();
      return createdView(user);
    },

    async update(id, changes, by) {
      await reads.get(id);
      await changeUser(id, changes, by);
      return reads.get(id);
    },

    async delete(id, by) {
      if (by.actor.id === id) throw userErrors.own_account();
      await ownAccount.deletions.deleteNow(id, by);
    },
  };
  return bindResource(userResource, service, clock);

  /** Changes a user in one transaction: roles, access and profile, or nothing. */
  async function changeUser(id: string, body: UpdateUserBody, by: RequestActor): Promise<void> {
    const { roles: wanted, disabled } = body;
    const profile = profileOf(body);
    const also = (within: Database) => changeProfile(within, id, profile, by);
    try {
      if (wanted !== undefined || disabled !== undefined) {
        const give = roles.filter((role) => wanted?.includes(role) === true);
        const take = roles.filter((role) => wanted?.includes(role) === false);
        await userAdmin.changeAccess(id, { give, take, disabled }, by, also);
      } else if (Object.keys(profile).length > 0) await users.change(id, { also });
    } catch (error) {
      throw errorCode(error) === '23505' ? userErrors.external_id_taken() : error;
    }
  }

  /** Changes name and external id, which are neither a role nor the access. */
  async function changeProfile(
    within: Database,
    id: string,
    changes: ReturnType<typeof profileOf>,
    by: RequestActor,
  ): Promise<void> {
    const changed = Object.keys(changes);
    if (changed.length === 0) return;
    const { numUpdatedRows } = await within
      .updateTable('users')
      .set(changes)
      .where('id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw userErrors.not_found();
    const event = { action: 'user.profile_changed', target: { kind: 'user', id } } as const;
    await audit.recordIn(within, [{ ...by, ...event, details: { changed } }]);
  }
}
