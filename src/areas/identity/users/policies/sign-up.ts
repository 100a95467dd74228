import { isAddressOf } from '../../../../lib/net/domain-rules.ts';
import type { LiveSettings } from '../../../../platform/settings/live-settings.ts';
import { userErrors } from '../errors.ts';
import type { VerifiedIdentity } from '../model.ts';
import type { ReviewAccount } from './review-account.ts';

type Identity = Pick<VerifiedIdentity, 'kind' | 'key'>;

export interface SignUpSettings {
  /** Who may sign up, as it is now. */
  live: () => Pick<LiveSettings, 'signUp' | 'signUpRules'>;
  /** Lower-case addresses that can always sign up. */
  adminEmails: ReadonlySet<string>;
  review: Pick<ReviewAccount, 'is'>;
  /** Whether an invitation to this lower-case address is pending. */
  isInvited: (email: string) => Promise<boolean>;
  /** Whether an admin has created the account already, and its owner has only to claim it. */
  isExpected: (identity: Identity) => Promise<boolean>;
}

/**
 * Who may sign up: whether someone without an account gets one (SIGN_UP). It is asked in one
 * place, where a user is created for a verified identity; earlier checks only save messages.
 */
export function createSignUpPolicy(settings: SignUpSettings) {
  const { live, adminEmails, review, isInvited, isExpected } = settings;
  const isOpen = () => live().signUp === 'open';

  return {
    /** Whether anybody may sign up. */
    isOpen,

    /** Whether people can sign up on their own: with any address, or with one of some domains. */
    hasSignUp: () => live().signUp !== 'invitation',

    maySignUp,

    /** Throws `users.sign_up_closed` unless one of the identities may sign up. */
    async require(identities: readonly Identity[]): Promise<void> {
      if (!(await maySignUp(identities))) throw userErrors.sign_up_closed();
    },

    /**
     * Throws `users.sign_up_closed` for an address that can't sign up on its own. Depends on
     * SIGN_UP and its domains alone, so it reveals nothing about accounts, admins and invitations.
     */
    requireSignUp({ key }: Pick<Identity, 'key'>): void {
      if (isOpen() || isOfDomain(key)) return;
      throw userErrors.sign_up_closed();
    },
  };

  /** Whether the owner of these verified identities gets an account. */
  async function maySignUp(identities: readonly Identity[]): Promise<boolean> {
    if (identities.some(isListed)) return true;
    for (const identity of identities) {
      if (await isExpected(identity)) return true;
      if (identity.kind === 'email' && (await isInvited(identity.key))) return true;
    }
    return false;
  }

  /** Whether the settings alone admit an address or number. */
  function isListed(identity: Identity): boolean {
    if (isOpen() || review.is(identity)) return true;
    const { kind, key } = identity;
    return kind === 'email' && (adminEmails.has(key) || isOfDomain(key));
  }

  function isOfDomain(key: string): boolean {
    const { signUp, signUpRules } = live();
    return signUp === 'domain' && isAddressOf(key, signUpRules);
  }
}

export type SignUpPolicy = ReturnType<typeof createSignUpPolicy>;
