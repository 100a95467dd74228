import { roles } from '../../../lib/access.ts';
import { emailIdentity, emailKey } from '../../../lib/identifiers.ts';
import { isUuid, uuidv7 } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { inSavepoint } from '../../../platform/database/savepoint.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { UserAdmin } from '../directory/access.ts';
import { userErrors } from '../users/errors.ts';
import type { Users } from '../users/service.ts';
import type { VerifiedIdentity } from '../users/model.ts';
import { type Draft, shownName } from './draft.ts';
import { scimErrors } from './errors.ts';
import { filterCondition } from './filter.ts';
import { draftOfPatch } from './patch.ts';
import {
  listType,
  type PatchBody,
  type ScimListQuery,
  type ScimUser,
  type ScimUserBody,
  type ScimUserList,
} from './schemas.ts';
import { createScimStore, type PersonChanges, type ScimPerson } from './store.ts';
import { createView } from './views.ts';
import { draftOf, draftOfNew, replacementOf } from './full-resource.ts';

interface ScimParts extends Resources {
  audit: Audit;
  users: Users;
  userAdmin: UserAdmin;
}

const maxPage = 200;

const phoneOf = (key: string): VerifiedIdentity => ({ kind: 'phone', key, value: key });
const primaryOf = ({ emails }: ScimPerson): string | undefined =>
  emails.find(({ primary }) => primary)?.value;

/** The address of a draft: the one in `emails`, or the user name if it takes that part. */
function emailOf(
  { email, userName }: Draft,
  follows: (userName: string) => boolean,
): VerifiedIdentity | undefined {
  if (email !== undefined) return emailIdentity(email);
  if (userName === undefined || !follows(userName)) return undefined;
  return emailIdentity(userName);
}

/** What a draft changes about a person; members that stay as they are are left out. */
function changesOf(draft: Draft, person: ScimPerson): PersonChanges {
  const primary = primaryOf(person)?.toLowerCase();
  // A provider that sends no emails changes the address with the user name.
  const email = emailOf(draft, () => [primary, undefined].includes(emailKey(person.userName)));
  const name = shownName(draft, person);
  const { userName, externalId, givenName, familyName, mobile } = draft;
  const changes: PersonChanges = {
    ...(userName === undefined || userName === person.userName ? {} : { userName }),
    ...(externalId === undefined || externalId === person.externalId ? {} : { externalId }),
    ...(name === undefined || name === person.name ? {} : { name }),
    ...(givenName === undefined || givenName === person.givenName ? {} : { givenName }),
    ...(familyName === undefined || familyName === person.familyName ? {} : { familyName }),
    ...(email === undefined || email.key === primary ? {} : { email }),
  };
  if (mobile === undefined || mobile === person.mobile) return changes;
  if (mobile !== null) return { ...changes, mobile: phoneOf(mobile) };
  // A verified number stays with the person.
  return person.isMobileProved ? changes : { ...changes, mobile };
}

const isTaken = (error: unknown): boolean =>
  error instanceof AppError && error.code === userErrors.taken().code;
const isReviewRefusal = (error: unknown): boolean =>
  error instanceof AppError && error.code === userErrors.review_account().code;

/** The changes in parts: each of those that someone else can have alone. */
function partsOf({ userName, externalId, email, mobile, ...free }: PersonChanges): PersonChanges[] {
  const parts: PersonChanges[] = [
    free,
    userName === undefined ? {} : { userName },
    externalId === undefined ? {} : { externalId },
    email === undefined ? {} : { email },
    mobile === undefined ? {} : { mobile },
  ];
  return parts.filter((part) => Object.keys(part).length > 0);
}

/**
 * Users as an identity provider manages them (SCIM 2.0, RFC 7643 and 7644). Throws
 * `users.not_found`, `.taken`, `.last_admin`, `.review_account` and the errors of the table `scim`.
 */
export function createScim({ db, clock, audit, users, userAdmin, baseUrl }: ScimParts) {
  const store = createScimStore(db);
  const toView = createView(baseUrl);
  return {
    get: show,

    /** Users in the order of their ids. */
    async list(
      { filter, startIndex, count }: ScimListQuery,
      signal: AbortSignal,
    ): Promise<ScimUserList> {
      const first = Math.max(1, startIndex);
      const { total, people } = await store.list(
        {
          where: filter === undefined ? undefined : filterCondition(filter),
          offset: first - 1,
          limit: Math.min(maxPage, Math.max(0, count)),
        },
        signal,
      );
      return {
        schemas: [listType],
        totalResults: total,
        startIndex: first,
        itemsPerPage: people.length,
        Resources: people.map(toView),
      };
    },

    create: async (body: ScimUserBody, by: RequestActor): Promise<ScimUser> =>
      show(await create(await draftOfNew(body), by)),

    async replace(id: string, body: ScimUserBody, by: RequestActor): Promise<ScimUser> {
      const person = await get(id);
      await apply(person, replacementOf(await draftOf(body), person), by);
      return show(id);
    },

    async patch(id: string, { Operations }: PatchBody, by: RequestActor): Promise<ScimUser> {
      const person = await get(id);
      const current = { id, email: primaryOf(person), mobile: person.mobile ?? undefined };
      await apply(person, await draftOfPatch(Operations, current), by);
      return show(id);
    },

    /**
     * Locks the person out, takes all roles and hides the user from SCIM. The account stays, so
     * that creating the same address again brings it back. A call that fails halfway, such as while
     * sessions can't be told, has locked the person out; repeating it completes it.
     */
    async remove(id: string, by: RequestActor): Promise<void> {
      await get(id);
      const event = { action: 'user.profile_changed', target: { kind: 'user', id } } as const;
      const details = { via: 'scim', removed: true };
      await userAdmin.changeAccess(id, { disabled: true, take: roles }, by);
      await users.change(id, {
        also: async (within) => {
          await store.remove(within, id, new Date(clock.now()));
          await audit.recordIn(within, [{ ...by, ...event, details }]);
        },
      });
    },
  };

  async function show(id: string): Promise<ScimUser> {
    return toView(await get(id));
  }

  async function get(id: string): Promise<ScimPerson> {
    const person = isUuid(id) ? await store.find(id) : undefined;
    if (person === undefined) throw userErrors.not_found();
    return person;
  }

  /** Returns the id of the new user. */
  async function create(draft: Draft, by: RequestActor): Promise<string> {
    const email = emailOf(draft, () => true);
    if (email === undefined)
      throw scimErrors.invalid_value({
        detail: 'emails: an email address is required, here or as userName.',
      });
    const { userName, mobile, externalId = null, active } = draft;
    const name = shownName(draft, { givenName: null, familyName: null }) ?? null;
    const { givenName = null, familyName = null } = draft;
    const phone = typeof mobile === 'string' ? { mobile: phoneOf(mobile) } : {};
    const given = userName === undefined ? {} : { userName };
    const changes = { ...given, externalId, name, givenName, familyName, email, ...phone };
    const identities = [email, ...Object.values(phone)];
    const removed = await store.removedOwner(identities);
    if (removed !== undefined) {
      await users.requireMayHave(removed, identities);
      await restore(removed, changes, draft, by);
      return removed;
    }
    const now = clock.now();
    const at = new Date(now);
    const id = uuidv7(now);
    const user = {
      id,
      name,
      roles: [],
      externalId,
      at,
      disabledAt: active === false ? at : null,
      identities: identities.map((identity) => ({ ...identity, id: uuidv7(now) })),
    };
    await store.create(user, changes, (within) =>
      audit.recordIn(within, [
        { ...by, action: 'user.created', target: { kind: 'user', id }, details: { via: 'scim' } },
      ]),
    );
    return id;
  }

  async function restore(
    id: string,
    changes: PersonChanges,
    draft: Draft,
    by: RequestActor,
  ): Promise<void> {
    const target = { kind: 'user', id };
    const details = { via: 'scim', restored: true };
    await userAdmin.changeAccess(id, { disabled: draft.active === false }, by, async (within) => {
      await store.restore(within, id, changes, new Date(clock.now()));
      await audit.recordIn(within, [{ ...by, action: 'user.created', target, details }]);
    });
  }

  /** Makes the changes of a draft and those of the access in one transaction. */
  async function apply(person: ScimPerson, draft: Draft, by: RequestActor): Promise<void> {
    const { id } = person;
    const changes = await allowedOf(id, changesOf(draft, person), draft);
    const also = (within: Database) => change(within, id, changes, by);
    // Repeated even if nothing changes, to complete an earlier call that failed halfway.
    if (draft.active === false) await lockOut(id, changes, by);
    else if (draft.active === true && !person.active)
      await userAdmin.changeAccess(id, { disabled: false }, by, also);
    else if (Object.keys(changes).length > 0) await users.change(id, { also });
  }

  /**
   * The changes that the person may get: the contacts of the review account stay, and nobody with a
   * role gets them. Throws `users.review_account`, unless the draft locks the person out.
   */
  async function allowedOf(
    id: string,
    changes: PersonChanges,
    { active }: Draft,
  ): Promise<PersonChanges> {
    try {
      await requireContacts(id, changes);
      return changes;
    } catch (error) {
      if (active !== false || !isReviewRefusal(error)) throw error;
      const { email: _, mobile: __, ...others } = changes;
      return others;
    }
  }

  /** Throws `users.review_account`. */
  async function requireContacts(id: string, { email, mobile }: PersonChanges): Promise<void> {
    if (email === undefined && mobile === undefined) return;
    if (await users.isReviewAccount(id)) throw userErrors.review_account();
    await users.requireMayHave(id, [email ?? [], mobile ?? []].flat());
  }

  async function change(
    within: Database,
    id: string,
    changes: PersonChanges,
    by: RequestActor,
  ): Promise<void> {
    const changed = Object.keys(changes);
    if (changed.length === 0) return;
    await store.change(within, id, changes, new Date(clock.now()));
    const event = { action: 'user.profile_changed', target: { kind: 'user', id } } as const;
    await audit.recordIn(within, [{ ...by, ...event, details: { via: 'scim', changed } }]);
  }

  /** Makes a part of the changes. False, and nothing is changed, if it belongs to someone else. */
  async function tryChange(
    within: Database,
    id: string,
    part: PersonChanges,
    by: RequestActor,
  ): Promise<boolean> {
    try {
      await inSavepoint(within, () => change(within, id, part, by));
      return true;
    } catch (error) {
      if (!isTaken(error)) throw error;
      return false;
    }
  }

  /** Leaves out what belongs to someone else. */
  async function changeFree(
    within: Database,
    id: string,
    changes: PersonChanges,
    by: RequestActor,
  ): Promise<void> {
    if (await tryChange(within, id, changes, by)) return;
    for (const part of partsOf(changes)) await tryChange(within, id, part, by);
  }

  /** Nothing else in a request may stop a lockout, so that it is kept whatever fails. */
  async function lockOut(id: string, changes: PersonChanges, by: RequestActor): Promise<void> {
    let others = Promise.resolve();
    await userAdmin.changeAccess(id, { disabled: true }, by, async (within) => {
      others = changeFree(within, id, changes, by);
      await others.catch(() => undefined);
    });
    await others;
  }
}

export type Scim = ReturnType<typeof createScim>;
