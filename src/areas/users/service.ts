import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { pageById } from '../../lib/keyset-page.ts';
import { requestErrors } from '../../platform/errors/errors.ts';
import type { Role } from '../../lib/access.ts';
import { type Access, isActingAdmin } from './access-store.ts';
import { userErrors } from './errors.ts';
import type { ListedUser, User, UserStore, VerifiedIdentity } from './store.ts';
import type { UserFilter } from './user-list.ts';

export interface Profile {
  name?: string | undefined;
  picture?: string | undefined;
}

export interface UserPage {
  /** Newest first. */
  data: ListedUser[];
  /** Null on the last page. */
  next_cursor: string | null;
}

export interface UsersDeps {
  store: UserStore;
  clock: Clock;
  /** Lower-case addresses whose owners become admins when they sign in. */
  adminEmails: ReadonlySet<string>;
  /** Told before the answer of everything that changes what a session may do. */
  onChange: (user: User) => Promise<void>;
}

/** True when an identity is an address of an admin by configuration. */
function grantsAdmin(
  identities: readonly VerifiedIdentity[],
  adminEmails: ReadonlySet<string>,
): boolean {
  return identities.some(({ kind, key }) => kind === 'email' && adminEmails.has(key));
}

/** People: one for each verified identity. */
export function createUsers({ store, clock, adminEmails, onChange }: UsersDeps) {
  async function get(id: string): Promise<User> {
    const user = await store.find(id);
    if (user === undefined) throw userErrors.not_found();
    return user;
  }

  async function insert(identity: VerifiedIdentity, profile: Profile): Promise<User | undefined> {
    const now = clock.now();
    const [id, at, name, picture] = [
      uuidv7(now),
      new Date(now),
      profile.name ?? null,
      profile.picture ?? null,
    ];
    const added = await store.insert({ id, identityId: uuidv7(now), identity, at, name, picture });
    return added
      ? { id, name, picture, roles: [], createdAt: at, disabledAt: null, identities: [identity] }
      : undefined;
  }

  async function granted(user: User): Promise<User> {
    if (user.roles.includes('admin') || !grantsAdmin(user.identities, adminEmails)) return user;
    return changeRoles(user, [...user.roles, 'admin']);
  }

  async function changeRoles(user: User, roles: readonly Role[]): Promise<User> {
    await store.setRoles(user.id, roles);
    const changed = { ...user, roles: [...roles] };
    await onChange(changed);
    return changed;
  }

  async function link(userId: string, identity: VerifiedIdentity): Promise<boolean> {
    const now = clock.now();
    const added = await store.addIdentity(userId, uuidv7(now), identity, new Date(now));
    if (added) await onChange(await get(userId));
    return added;
  }

  /** Gives a new identity to the person who has proved one of the others before. */
  async function adopt(
    identity: VerifiedIdentity,
    others: readonly VerifiedIdentity[],
  ): Promise<User | undefined> {
    for (const other of others) {
      const owner = await store.ownerOf(other);
      if (owner !== undefined && (await link(owner.id, identity))) return get(owner.id);
    }
    return undefined;
  }

  async function addAll(
    { id, identities }: User,
    others: readonly VerifiedIdentity[],
  ): Promise<VerifiedIdentity[]> {
    const linked: VerifiedIdentity[] = [];
    for (const other of others) {
      const isKnown = identities.some(({ kind, key }) => kind === other.kind && key === other.key);
      if (!isKnown && (await link(id, other))) linked.push(other);
    }
    return linked;
  }

  return {
    get,

    /** A page of people, newest first; all filters must fit. `cursor` is the `next_cursor` of the page before. */
    async list(
      { limit, ...filter }: UserFilter & { limit: number },
      signal?: AbortSignal,
    ): Promise<UserPage> {
      return pageById(await store.list(limit + 1, filter, signal), limit);
    },

    /** Those of these people that there are. */
    findAll: (ids: readonly string[]): Promise<ListedUser[]> => store.findAll(ids),

    /** True where the configuration makes the person an admin at every sign-in. */
    isAdminByConfig: ({ identities }: User): boolean => grantsAdmin(identities, adminEmails),

    /**
     * The person who has proved this identity, made when there is none. Roles by configuration are granted here.
     * `also` are identities proved in the same moment: an owner of one of them gets the new identity, and the person
     * gets those of them that nobody has. `linked` are the identities that became ways to sign in.
     */
    async signInAs(
      identity: VerifiedIdentity,
      profile: Profile = {},
      also: readonly VerifiedIdentity[] = [],
    ): Promise<{ user: User; isNew: boolean; linked: VerifiedIdentity[] }> {
      const owner = await store.ownerOf(identity);
      const adopter = owner === undefined ? await adopt(identity, also) : undefined;
      const added =
        owner === undefined && adopter === undefined ? await insert(identity, profile) : undefined;
      const user = owner ?? adopter ?? added ?? (await store.ownerOf(identity));
      if (user === undefined) throw userErrors.not_found();
      const linked = await addAll(user, also);
      return {
        user: await granted(linked.length === 0 ? user : await get(user.id)),
        isNew: added !== undefined,
        linked: adopter === undefined ? linked : [identity, ...linked],
      };
    },

    /** The owner of a verified identity, without making one. */
    ownerOf: (identity: Pick<VerifiedIdentity, 'kind' | 'key'>): Promise<User | undefined> =>
      store.ownerOf(identity),

    /** Adds an identity that the person has proved as well. False when somebody has it already. */
    link,

    /** Throws `users.not_found`. */
    setRoles: async (id: string, roles: readonly Role[]): Promise<User> =>
      changeRoles(await get(id), roles),

    /** Disabling ends every session at once. Throws `users.not_found`. */
    async setDisabled(id: string, disabled: boolean): Promise<User> {
      const user = await get(id);
      const disabledAt = disabled ? new Date(clock.now()) : null;
      await store.setDisabled(id, disabledAt);
      const changed = { ...user, disabledAt };
      await onChange(changed);
      return changed;
    },

    /**
     * Changes what a person may do, one change at a time: `change` is handed what is so then. `by` names the person who does it, who must be
     * an admin still. Sessions are told also where nothing changes: so repeating it makes good what failed. Throws `users.not_found`, `request.forbidden`.
     */
    async administer(
      id: string,
      by: string | undefined,
      change: (before: Access) => Partial<Access>,
    ): Promise<{ before: Access; user: User }> {
      let before: Access | undefined;
      await store.changeAccess(by === undefined ? [id] : [id, by], (held) => {
        const actor = by === undefined ? undefined : held.get(by);
        if (by !== undefined && (actor === undefined || !isActingAdmin(actor)))
          throw requestErrors.forbidden();
        before = held.get(id);
        if (before === undefined) throw userErrors.not_found();
        return { id, next: { ...before, ...change(before) } };
      });
      const user = await get(id);
      await onChange(user);
      return { before: before ?? user, user };
    },

    noteSeen: (id: string): Promise<unknown> => store.setSeen(id, new Date(clock.now())),
    hasAdmin: (): Promise<boolean> => store.hasAdmin(),
  };
}

export type Users = ReturnType<typeof createUsers>;
