import { type DomainRule, isAddressOf } from '../../lib/net/domain-rules.ts';
import { userErrors } from './errors.ts';
import type { ReviewAccount } from './review-account.ts';
import type { VerifiedIdentity } from './store.ts';

type Proved = Pick<VerifiedIdentity, 'kind' | 'key'>;

export interface EntryDeps {
  signUp: 'open' | 'invitation' | 'domain';
  /** The domains of `domain`. */
  domains: readonly DomainRule[];
  /** Lower-case addresses that can always enter. */
  adminEmails: ReadonlySet<string>;
  review: Pick<ReviewAccount, 'is'>;
  /** Whether an invitation to this lower-case address is pending. */
  isInvited: (email: string) => Promise<boolean>;
  /** Whether an admin has created the account already, and its owner has only to claim it. */
  isExpected: (proved: Proved) => Promise<boolean>;
}

/**
 * Who may enter: whether somebody without an account gets one (SIGN_UP). It is asked in one place,
 * where a user is created for a proved identity; earlier checks only save messages.
 */
export function createEntry(deps: EntryDeps) {
  const { signUp, domains, adminEmails, review, isInvited, isExpected } = deps;
  const isOpen = signUp === 'open';

  /** Whether the settings alone let an address or number enter. */
  const isListed = (proved: Proved): boolean =>
    isOpen ||
    review.is(proved) ||
    (proved.kind === 'email' &&
      (adminEmails.has(proved.key) || (signUp === 'domain' && isAddressOf(proved.key, domains))));

  /** Whether somebody who has proved these identities gets an account. */
  async function mayEnter(proved: readonly Proved[]): Promise<boolean> {
    if (proved.some(isListed)) return true;
    for (const each of proved) {
      if (await isExpected(each)) return true;
      if (each.kind === 'email' && (await isInvited(each.key))) return true;
    }
    return false;
  }

  return {
    /** Whether anybody may enter. */
    isOpen,

    /** Whether people can sign up on their own: with any address, or with one of some domains. */
    hasSignUp: signUp !== 'invitation',

    mayEnter,

    /** Throws `users.sign_up_closed` unless one of the identities may enter. */
    async require(proved: readonly Proved[]): Promise<void> {
      if (!(await mayEnter(proved))) throw userErrors.sign_up_closed();
    },

    /**
     * Throws `users.sign_up_closed` for an address that can't sign up on its own. Depends on
     * SIGN_UP and its domains alone, so it reveals nothing about accounts, admins and invitations.
     */
    requireSignUp({ key }: Pick<Proved, 'key'>): void {
      if (isOpen || (signUp === 'domain' && isAddressOf(key, domains))) return;
      throw userErrors.sign_up_closed();
    },
  };
}

export type Entry = ReturnType<typeof createEntry>;
