import { principalOf } from '../../platform/identity/identity.ts';
import type { ApiKeys } from '../../areas/api-keys/service.ts';
import type { Session, Sessions } from '../../areas/auth/sessions.ts';
import type { Subject } from '../../areas/realtime/channels.ts';

/** Who a socket belongs to, and how that is looked at again. */
export interface Identity extends Subject {
  /** Unix ms after which the socket needs a new token; undefined: it has none that ends. */
  expiresAt: number | undefined;
  /**
   * Who it is by now; undefined when the session has ended or the key was revoked. Rejects while a
   * store is away.
   */
  again: (() => Promise<Identity | undefined>) | undefined;
}

/** Nobody in particular. */
export const stranger: Identity = Object.freeze({
  principal: undefined,
  isCleared: false,
  expiresAt: undefined,
  again: undefined,
});

export interface IdentitiesDeps {
  sessions: Pick<Sessions, 'find' | 'peek' | 'accessEndsAt'>;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
  /** True when any device may do what admins do. */
  isAnyDeviceCleared: boolean;
}

/** Finds out who a socket belongs to: from its handshake, or from a token in its first command. */
export function createIdentities({ sessions, apiKeys, isAnyDeviceCleared }: IdentitiesDeps) {
  function ofSession(session: Session, isCleared: boolean): Identity {
    return {
      principal: principalOf(session),
      isCleared,
      expiresAt: session.via === 'cookie' ? session.expires_at : sessions.accessEndsAt(session),
      async again() {
        const now = await sessions.peek(session.userId, session.id);
        if (now === undefined) return undefined;
        const isStillCleared = isAnyDeviceCleared || (isCleared && now.device?.state === 'cleared');
        return ofSession(now, isStillCleared);
      },
    };
  }

  async function ofKey(token: string): Promise<Identity | undefined> {
    const principal = await apiKeys.authenticate(token);
    return principal === undefined
      ? undefined
      : { principal, isCleared: true, expiresAt: undefined, again: () => ofKey(token) };
  }

  async function ofAccessToken(token: string): Promise<Identity | undefined> {
    const session = await sessions.find(token, 'bearer');
    // A token that is bound to a key has to be proved, which a frame can't do: it belongs into the
    // handshake.
    if (session === undefined || (session.device != null && session.device.jkt !== null))
      return undefined;
    return ofSession(session, isAnyDeviceCleared);
  }

  return {
    ofSession,
    /** Who holds the API key or access token; undefined when nobody does. */
    ofToken: (token: string): Promise<Identity | undefined> =>
      token.startsWith('svca_') ? ofAccessToken(token) : ofKey(token),
  };
}

export type Identities = ReturnType<typeof createIdentities>;
