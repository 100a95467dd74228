import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import { reviewEnd } from '../../platform/settings/review-account.ts';
import { userErrors } from './errors.ts';
import type { User, VerifiedIdentity } from './store.ts';

type Named = Pick<VerifiedIdentity, 'kind' | 'key'>;

/**
 * The account that reviewers of app stores sign in to with a fixed code (REVIEW_ACCOUNT). It works
 * until the end of REVIEW_UNTIL and never has a role.
 */
export function createReviewAccount(
  {
    REVIEW_ACCOUNT: account,
    REVIEW_CODE: code,
    REVIEW_UNTIL: until,
  }: Pick<Config, 'REVIEW_ACCOUNT' | 'REVIEW_CODE' | 'REVIEW_UNTIL'>,
  clock: Clock,
) {
  const key = account?.toLowerCase();
  const kind = key?.includes('@') === true ? ('email' as const) : ('phone' as const);
  const end = until === undefined ? 0 : reviewEnd(until);
  const isOver = (): boolean => clock.now() >= end;
  const is = (identity: Named): boolean => identity.kind === kind && identity.key === key;
  const isOwnedBy = ({ identities }: Pick<User, 'identities'>): boolean => identities.some(is);

  return {
    /** The identity of the account; undefined if none is set. */
    identity: key === undefined ? undefined : { kind, key },

    is,
    isOwnedBy,

    /** True once REVIEW_UNTIL has passed. */
    isOver,

    /** The code that signs this identity in; undefined for others, and once the time is over. */
    codeOf: (identity: Named): string | undefined => (is(identity) && !isOver() ? code : undefined),

    /**
     * Throws `users.review_account` for a sign-in by this identity once the time is over, or if its
     * owner has a role.
     */
    requireUsable(identity: Named, { roles }: Pick<User, 'roles'>): void {
      if (is(identity) && (isOver() || roles.length > 0)) throw userErrors.review_account();
    },

    /** Throws `users.review_account` if the owner of the account would get a role. */
    requireNoRole(user: Pick<User, 'identities'>, roles: readonly string[]): void {
      if (roles.length > 0 && isOwnedBy(user)) throw userErrors.review_account();
    },
  };
}

export type ReviewAccount = ReturnType<typeof createReviewAccount>;
