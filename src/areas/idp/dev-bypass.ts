import type { UserClaims } from '../../platform/identity-schemas.ts';
import type { Origin } from '../../platform/request-origin.ts';
import type { Audit } from '../audit/service.ts';
import type { BrowserOutcome, BrowserSignIn } from '../auth/browser-sign-in.ts';
import type { Users } from '../users/service.ts';
import type { User, VerifiedIdentity } from '../users/store.ts';

export interface DevBypassDeps {
  /** Development, and no identity provider: otherwise it does not exist. */
  isOpen: boolean;
  /** Nobody is listed as an admin: then everybody who comes this way is one. */
  everybodyIsAdmin: boolean;
  users: Pick<Users, 'setRoles'>;
  browserSignIn: BrowserSignIn;
  audit: Pick<Audit, 'record'>;
  userClaims: (user: User) => UserClaims;
}

/** Sign-in without a proof, for development on one's own machine. */
export function createDevBypass({ isOpen, everybodyIsAdmin, users, browserSignIn, audit, userClaims }: DevBypassDeps) {
  async function granted(user: User): Promise<User> {
    if (!everybodyIsAdmin || user.roles.includes('admin')) return user;
    return users.setRoles(user.id, [...user.roles, 'admin']);
  }

  return {
    isOpen,

    /** Signs in as the owner of an address, who is made when there is none. */
    async signIn(identity: VerifiedIdentity, cookieHeader: string | undefined, from: Origin): Promise<{ outcome: BrowserOutcome; user: UserClaims | null }> {
      const outcome = await browserSignIn({ identity, amr: ['dev'], ...from }, cookieHeader);
      if (outcome.mfa !== undefined) return { outcome, user: null };
      const user = await granted(outcome.user);
      await audit.record({ action: 'dev_bypass.used', actor: { kind: 'user', id: user.id }, target: { kind: 'user', id: user.id }, address: from.address, requestId: from.requestId });
      return { outcome, user: userClaims(user) };
    },
  };
}

export type DevBypass = ReturnType<typeof createDevBypass>;
