import type { ApiKeys } from '../../../areas/api-keys/service.ts';
import type { Session, Sessions } from '../../../areas/identity/sessions/service.ts';
import type { Subject } from '../../../areas/realtime/channels.ts';
import { principalOf } from '../../../platform/identity/identity.ts';

/** The identity of a socket: its principal and permissions. */
export interface Identity extends Subject {
  /** Unix ms after which the socket needs a new token; undefined without an expiring token. */
  expiresAt: number | undefined;
  /**
   * Looks up the current identity; undefined when the session or API key no longer exists. Rejects
   * while the stores are unavailable.
   */
  revalidate: (() => Promise<Identity | undefined>) | undefined;
}

export const anonymous: Identity = Object.freeze({
  principal: undefined,
  isCleared: false,
  expiresAt: undefined,
  revalidate: undefined,
});

export interface IdentitiesDeps {
  sessions: Pick<Sessions, 'find' | 'peek' | 'accessEndsAt'>;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
  /** True when devices need no approval. */
  isAnyDeviceCleared: boolean;
}

/** Resolves the identity of a socket from its session, or from the token in its first command. */
export function createIdentities({ sessions, apiKeys, isAnyDeviceCleared }: IdentitiesDeps) {
  function fromSession(session: Session, isCleared: boolean): Identity {
    return {
      principal: principalOf(session),
      isCleared,
      expiresAt: session.via === 'cookie' ? session.expires_at : sessions.accessEndsAt(session),
      async revalidate() {
        const current = await sessions.peek(session.userId, session.id);
        if (current === undefined) return undefined;
        const isStillCleared = isCleared && current.device?.state === 'cleared';
        return fromSession(current, isAnyDeviceCleared || isStillCleared);
      },
    };
  }

  async function fromApiKey(key: string): Promise<Identity | undefined> {
    const principal = await apiKeys.authenticate(key);
    return principal === undefined
      ? undefined
      : { principal, isCleared: true, expiresAt: undefined, revalidate: () => fromApiKey(key) };
  }

  async function fromAccessToken(token: string): Promise<Identity | undefined> {
    const session = await sessions.find(token, 'bearer');
    // A bound token (DPoP) needs a proof, which only the handshake can carry.
    if (session === undefined || (session.device != null && session.device.jkt !== null))
      return undefined;
    return fromSession(session, isAnyDeviceCleared);
  }

  return {
    fromSession,
    /** The identity behind an API key or access token; undefined when it is invalid. */
    fromToken: (token: string): Promise<Identity | undefined> =>
      token.startsWith('svca_') ? fromAccessToken(token) : fromApiKey(token),
  };
}

export type Identities = ReturnType<typeof createIdentities>;
