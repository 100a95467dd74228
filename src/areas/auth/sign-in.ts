import type { Audit } from '../audit/service.ts';
import { userErrors } from '../users/errors.ts';
import type { Profile, Users } from '../users/service.ts';
import type { User, VerifiedIdentity } from '../users/store.ts';
import type { Proof, Sessions, Tokens } from './sessions.ts';

/** What somebody has just proved, and from where. */
export interface Proved {
  identity: VerifiedIdentity;
  profile?: Profile;
  /** Authentication methods (RFC 8176): `otp`, `sms`, `fed`, … */
  amr: readonly string[];
  /** When the request began, Unix ms. */
  begun: number;
  client: string;
  address: string;
  requestId: string;
}

export interface SignedIn {
  user: User;
  isNew: boolean;
}

export interface SignInDeps {
  users: Users;
  sessions: Sessions;
  audit: Pick<Audit, 'record'>;
}

/** The one way from a proof to a session: whatever was proved, and however the session is held. */
export function createSignIn({ users, sessions, audit }: SignInDeps) {
  const note = (action: 'session.created' | 'user.created', user: User, { amr, address, requestId }: Proved, outcome: 'success' | 'denied' = 'success') =>
    audit.record({ action, outcome, actor: { kind: 'user', id: user.id }, target: { kind: 'user', id: user.id }, address, requestId, details: { amr: [...amr] } });

  async function identify(proved: Proved): Promise<SignedIn> {
    const { user, isNew } = await users.signInAs(proved.identity, proved.profile);
    if (isNew) void note('user.created', user, proved);
    if (user.disabledAt !== null) {
      void note('session.created', user, proved, 'denied');
      throw userErrors.disabled();
    }
    return { user, isNew };
  }

  const proofOf = ({ amr, begun, client }: Proved): Proof => ({ amr, acr: 'aal1', begun, client });

  return {
    /** Opens a bearer client's session. Throws `users.disabled`, `auth.revoked_meanwhile`. */
    async asBearer(proved: Proved): Promise<SignedIn & { tokens: Tokens }> {
      const signedIn = await identify(proved);
      const tokens = await sessions.openBearer(signedIn.user, proofOf(proved));
      void note('session.created', signedIn.user, proved);
      return { ...signedIn, tokens };
    },

    /** Opens a browser's session. Throws `users.disabled`, `auth.revoked_meanwhile`. */
    async asCookie(proved: Proved): Promise<SignedIn & { cookie: string; sessionId: string; expiresAt: number }> {
      const signedIn = await identify(proved);
      const opened = await sessions.openCookie(signedIn.user, proofOf(proved));
      void note('session.created', signedIn.user, proved);
      return { ...signedIn, ...opened };
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;
