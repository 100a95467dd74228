import type { Role } from '../../../lib/access.ts';
import type { Clock } from '../../../lib/clock.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { pageById } from '../../../lib/keyset-page.ts';
import type { Database } from '../../../platform/database/database.ts';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { type Access, isActingAdmin } from './access/store.ts';
import type { SignUpPolicy } from './policies/sign-up.ts';
import { userErrors } from './errors.ts';
import type { ReviewAccount } from './policies/review-account.ts';
import type { ListedUser, User, VerifiedIdentity } from './model.ts';
import type { UserStore } from './store.ts';
import type { UserFilter, UserOrder, UserSlice, UserTotals } from './queries/list.ts';

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

interface UsersContext {
  store: UserStore;
  clock: Clock;
  /** Lower-case addresses whose owners become admins when they sign in. */
  adminEmails: ReadonlySet<string>;
  /** Whether somebody without an account gets one. */
  signUpPolicy: SignUpPolicy;
  /** Notes on the waitlist that the owner of a verified address has got an account. */
  markJoined: (email: string) => Promise<void>;
  review: ReviewAccount;
  /** Called and awaited after each change that affects what a user's sessions may do. */
  onChange: (user: User) => Promise<void>;
}

/** Whether one of the identities is the address of an admin by configuration. */
const grantsAdmin = (
  identities: readonly VerifiedIdentity[],
  adminEmails: ReadonlySet<string>,
): boolean => identities.some(({ kind, key }) => kind === 'email' && adminEmails.has(key));

const added = (before: readonly string[], after: readonly string[]): string[] =>
  after.filter((role) => !before.includes(role));

/** What changes about a user in one transaction. */
interface UserChange {
  /** The access: `by` is the user who changes it, who must still be an admin. */
  access?: { by: string | undefined; next: (before: Access) => Partial<Access> };
  /** Changes more in the same transaction, after the access. */
  also?: (within: Database) => Promise<unknown>;
}

/** What is known of somebody who signs in, besides the identity. */
interface Admission {
  profile?: Profile;
  /** Identities verified at the same time, such as an address that a provider has verified. */
  also?: readonly VerifiedIdentity[];
  /** True when somebody who may let people in has let this one in. */
  isVouched?: boolean;
}

interface SignedInUser {
  user: User;
  isNew: boolean;
  /** The identities that were added. */
  linked: VerifiedIdentity[];
}

/** Users and their verified identities. */
export function createUsers(context: UsersContext) {
  const { store, clock, review, adminEmails, signUpPolicy, markJoined, onChange } = context;

  return {
    get,

    /** Newest first; all filters must match. `cursor` is the `next_cursor` of the previous page. */
    list: async (
      { limit, ...filter }: UserFilter & Pick<UserSlice, 'cursor'> & { limit: number },
      signal?: AbortSignal,
    ): Promise<UserPage> => pageById(await store.list(limit + 1, filter, signal), limit),

    /** Users in an order, from the one at `offset` on. */
    slice: (
      { limit, ...slice }: UserFilter & { order: UserOrder; offset: number; limit: number },
      signal?: AbortSignal,
    ): Promise<ListedUser[]> => store.list(limit, slice, signal),

    /** How many users match. */
    count: (filter: UserFilter, signal?: AbortSignal): Promise<number> =>
      store.count(filter, signal),

    /** How many users there are, with a role, and disabled. */
    totals: (signal?: AbortSignal): Promise<UserTotals> => store.totals(signal),

    /** The users that exist, in the order of `ids`. */
    findAll: (ids: readonly string[]): Promise<ListedUser[]> => store.findAll(ids),

    /** The owner of a verified identity, if any. */
    ownerOf: (identity: Pick<VerifiedIdentity, 'kind' | 'key'>): Promise<User | undefined> =>
      store.ownerOf(identity),

    hasAdmin: (): Promise<boolean> => store.hasAdmin(),

    /** Whether the configuration makes the user an admin at every sign-in. */
    isAdminByConfig: ({ identities }: User): boolean => grantsAdmin(identities, adminEmails),

    signInAs,
    link,
    setRoles,
    change,

    setDisabled,

    /** Reads a changed user again and notifies its sessions. Throws `users.not_found`. */
    refresh: async (id: string): Promise<User> => announce(await get(id)),

    noteSeen: (id: string): Promise<unknown> => store.setSeen(id, new Date(clock.now())),

    requireMayHave,

    /** Throws `users.review_account` for a sign-in to the review account that it may not have. */
    requireUsable: review.requireUsable,

    /** False for the review account when its time is over, or if it has a role. */
    isUsable: review.isUsable,

    /** Whether this is the review account. */
    isReviewAccount: review.isUser,

    /** Throws `users.review_account` for a change that the review account never gets. */
    requireNoReviewAccount: review.requireOther,
  };

  /** Throws `users.not_found`. */
  async function get(id: string): Promise<User> {
    const user = await store.find(id);
    if (user === undefined) throw userErrors.not_found();
    return user;
  }

  /** Notifies the sessions of a user. */
  async function announce(user: User): Promise<User> {
    await onChange(user);
    return user;
  }

  /**
   * The user with this verified identity, created if needed. Grants configured roles. If one of the
   * identities in `also` has an owner, that user gets the new identity; otherwise the user gets
   * those that have no owner. Throws `users.sign_up_closed`, `.review_account`.
   */
  async function signInAs(
    identity: VerifiedIdentity,
    { profile = {}, also = [], isVouched = false }: Admission = {},
  ): Promise<SignedInUser> {
    const verified = [identity, ...also];
    review.requireOwnWay(identity, also);
    const owner = await store.ownerOf(identity);
    const adopter = owner === undefined ? await adopt(identity, also) : undefined;
    const existing = owner ?? adopter ?? (await claim(verified));
    if (existing === undefined && !isVouched) await signUpPolicy.require(verified);
    const added = existing === undefined ? await insert(identity, profile) : undefined;
    if (added !== undefined)
      for (const { kind, key } of verified) if (kind === 'email') await markJoined(key);
    const user = existing ?? added ?? (await store.ownerOf(identity));
    if (user === undefined) throw userErrors.not_found();
    review.requireUsable(user);
    const linked = await linkAll(user, verified);
    return {
      user: await grantConfiguredRoles(linked.length === 0 ? user : await get(user.id)),
      isNew: added !== undefined,
      linked: adopter === undefined ? linked : [identity, ...linked],
    };
  }

  /** Adds a new identity to the user who owns one of the others. Throws `users.review_account`. */
  async function adopt(
    identity: VerifiedIdentity,
    others: readonly VerifiedIdentity[],
  ): Promise<User | undefined> {
    for (const other of others) {
      const owner = await store.ownerOf(other);
      if (owner !== undefined && review.isOwnedBy(owner)) throw userErrors.review_account();
      if (owner !== undefined && (await link(owner.id, identity))) return get(owner.id);
    }
    return undefined;
  }

  /** The user for whom an admin has entered an identity. Throws `users.review_account`. */
  async function claim(verified: readonly VerifiedIdentity[]): Promise<User | undefined> {
    for (const identity of verified) {
      if (review.is(identity))
        for (const id of await store.holdersOf(identity)) await requireMayHave(id, [identity]);
      const id = await store.claim(identity, new Date(clock.now()));
      if (id !== undefined) return get(id);
    }
    return undefined;
  }

  /** Undefined if somebody has got the identity meanwhile. */
  async function insert(identity: VerifiedIdentity, profile: Profile): Promise<User | undefined> {
    const { name = null, picture = null } = profile;
    const now = clock.now();
    const at = new Date(now);
    const [id, identityId] = [uuidv7(now), uuidv7(now)];
    const isAdded = await store.insert({ id, identityId, identity, at, name, picture });
    return isAdded
      ? { id, name, picture, roles: [], createdAt: at, disabledAt: null, identities: [identity] }
      : undefined;
  }

  /**
   * Adds to a user those identities that have no owner, and returns them. The review account gets
   * none.
   */
  async function linkAll(
    user: User,
    others: readonly VerifiedIdentity[],
  ): Promise<VerifiedIdentity[]> {
    const { id, identities } = user;
    const linked: VerifiedIdentity[] = [];
    if (review.isOwnedBy(user)) return linked;
    for (const other of others) {
      const isKnown = identities.some((own) => own.kind === other.kind && own.key === other.key);
      if (!isKnown && (await link(id, other))) linked.push(other);
    }
    return linked;
  }

  async function grantConfiguredRoles(user: User): Promise<User> {
    if (user.roles.includes('admin') || !grantsAdmin(user.identities, adminEmails)) return user;
    return review.isOwnedBy(user) ? user : setRoles(user.id, [...user.roles, 'admin']);
  }

  /**
   * Adds an identity that the user has verified. False when it has an owner. Throws
   * `users.review_account`.
   */
  async function link(userId: string, identity: VerifiedIdentity): Promise<boolean> {
    await requireMayHave(userId, [identity]);
    const now = clock.now();
    const isAdded = await store.addIdentity(userId, uuidv7(now), identity, new Date(now));
    if (isAdded) await announce(await get(userId));
    return isAdded;
  }

  /** Throws `users.not_found`, `.review_account`. */
  async function setRoles(id: string, roles: readonly Role[]): Promise<User> {
    const user = await get(id);
    (await roleCheckFor(id))(user.roles, roles);
    await store.setRoles(id, roles);
    return announce({ ...user, roles: [...roles] });
  }

  /** Disabling ends every session at once. Throws `users.not_found`. */
  async function setDisabled(id: string, disabled: boolean): Promise<User> {
    const user = await get(id);
    const disabledAt = disabled ? new Date(clock.now()) : null;
    await store.setDisabled(id, disabledAt);
    return announce({ ...user, disabledAt });
  }

  /**
   * Changes a user in one transaction, all or nothing, and notifies the user's sessions after it:
   * even if nothing changes, so that repeating a call completes one that failed. Throws
   * `users.not_found`, `.review_account`, `.last_admin`, `request.forbidden`.
   */
  async function change(id: string, { access, also }: UserChange): Promise<User> {
    const requireRoles = await roleCheckFor(id);
    await store.transaction(async (within) => {
      if (access !== undefined) {
        const { by, next } = access;
        await store.changeAccess(within, by === undefined ? [id] : [id, by], (current) => {
          const actor = by === undefined ? undefined : current.get(by);
          if (by !== undefined && (actor === undefined || !isActingAdmin(actor)))
            throw requestErrors.forbidden();
          const before = current.get(id);
          if (before === undefined) throw userErrors.not_found();
          const changes = next(before);
          requireRoles(before.roles, changes.roles ?? []);
          return { id, next: { ...before, ...changes } };
        });
      }
      await also?.(within);
    });
    return announce(await get(id));
  }

  /** A check that the review account gets no role. Throws `users.not_found`. */
  async function roleCheckFor(id: string) {
    await get(id);
    const isReview = await review.isUser(id);
    return (before: readonly string[], after: readonly string[]): void => {
      if (isReview && added(before, after).length > 0) throw userErrors.review_account();
    };
  }

  /** Throws `users.review_account` if the user may not have one of the identities. */
  async function requireMayHave(
    id: string,
    identities: readonly VerifiedIdentity[],
  ): Promise<void> {
    if (identities.some(review.is))
      review.requireNoRole({ identities: [...identities] }, (await store.find(id))?.roles ?? []);
  }
}

export type Users = ReturnType<typeof createUsers>;
