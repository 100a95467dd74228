import type { Config } from '../../../../config.ts';
import type { Clock } from '../../../../lib/clock.ts';
import { emailKey } from '../../../../lib/identifiers.ts';
import { reviewEnd } from '../../../../platform/settings/review-account.ts';
import { userErrors } from '../errors.ts';
import type { User, VerifiedIdentity } from '../model.ts';

type Named = Pick<VerifiedIdentity, 'kind' | 'key'>;

type ReviewSettings = Pick<Config, 'REVIEW_ACCOUNT' | 'REVIEW_CODE' | 'REVIEW_UNTIL'>;

/** The identity of the account, and the time for which it works. */
function createIdentity(
  { REVIEW_ACCOUNT: account, REVIEW_UNTIL: until }: ReviewSettings,
  clock: Clock,
) {
  const key = account === undefined ? undefined : emailKey(account);
  const kind = key?.includes('@') === true ? ('email' as const) : ('phone' as const);
  const end = until === undefined ? 0 : reviewEnd(until);
  const is = (identity: Named): boolean => identity.kind === kind && identity.key === key;
  return {
    /** The identity of the account; undefined if none is set. */
    identity: key === undefined ? undefined : { kind, key },

    /** True once REVIEW_UNTIL has passed. */
    isOver: (): boolean => clock.now() >= end,

    is,
    isOwnedBy: ({ identities }: Pick<User, 'identities'>): boolean => identities.some(is),
  };
}

/**
 * The account that reviewers of app stores sign in to with a fixed code (REVIEW_ACCOUNT). It works
 * until the end of REVIEW_UNTIL, never has a role, and keeps its contacts, factors and itself:
 * otherwise whoever has the code could move the account to an address of their own. `isHeldBy`
 * finds an identity of a user that may not be verified yet.
 */
export function createReviewAccount(
  settings: ReviewSettings,
  clock: Clock,
  isHeldBy: (identity: Named, userId: string) => Promise<boolean>,
) {
  const own = createIdentity(settings, clock);
  const { identity: account, is, isOver, isOwnedBy } = own;

  /** Whether this is the account, also before its first sign-in. */
  const isUser = async (userId: string): Promise<boolean> =>
    account !== undefined && (await isHeldBy(account, userId));

  /** False for the account when its time is over, or if it has a role. */
  const isUsable = (user: Pick<User, 'identities' | 'roles'>): boolean =>
    !isOwnedBy(user) || (!isOver() && user.roles.length === 0);

  return {
    ...own,

    /** The code that signs this identity in; undefined for others, and once the time is over. */
    codeOf: (identity: Named): string | undefined =>
      is(identity) && !isOver() ? settings.REVIEW_CODE : undefined,

    /** The length of that code; undefined without one. */
    codeLength: settings.REVIEW_CODE?.length,

    /**
     * Throws `users.review_account` for a sign-in to the account by another way than its address
     * or number, such as a provider that vouches for it, and for any once the time is over.
     */
    requireOwnWay(identity: Named, also: readonly Named[]): void {
      if (also.some(is) || (is(identity) && isOver())) throw userErrors.review_account();
    },

    /**
     * Throws `users.review_account` for a session of the account once the time is over, or if it
     * has a role.
     */
    requireUsable: (user: Pick<User, 'identities' | 'roles'>): void => {
      if (!isUsable(user)) throw userErrors.review_account();
    },

    isUsable,

    isUser,

    /** Throws `users.review_account` for a change that the account never gets. */
    requireOther: async (userId: string): Promise<void> => {
      if (await isUser(userId)) throw userErrors.review_account();
    },

    /** Throws `users.review_account` if the owner of the account would get a role. */
    requireNoRole(user: Pick<User, 'identities'>, roles: readonly string[]): void {
      if (roles.length > 0 && isOwnedBy(user)) throw userErrors.review_account();
    },
  };
}

export type ReviewAccount = ReturnType<typeof createReviewAccount>;
