import 'fastify';
import { type ApiKeyScope, type Role, scopesOf } from '../../lib/access.ts';

/** A client with an API key. */
export interface KeyPrincipal {
  kind: 'api_key';
  /** The key's id, or `env` for ADMIN_API_KEY. */
  id: string;
  scopes: readonly ApiKeyScope[];
}

/** A signed-in user. */
export interface UserPrincipal {
  kind: 'user';
  /** The user's id. */
  id: string;
  scopes: readonly ApiKeyScope[];
  roles: readonly Role[];
  sessionId: string;
  /** The transport of the session: a browser's cookie or a bearer token. */
  via: 'cookie' | 'bearer';
  /** When the user last authenticated, Unix ms. */
  authTime: number;
  /** Authenticator assurance level (NIST SP 800-63B): aal2 after a second factor. */
  acr: 'aal1' | 'aal2';
}

/** The authenticated caller of a request. */
export type Principal = KeyPrincipal | UserPrincipal;

/** The fields of a session that a principal is made from. */
export interface PrincipalSession {
  id: string;
  userId: string;
  user: { roles: readonly Role[] };
  via: UserPrincipal['via'];
  auth_time: number;
  acr: UserPrincipal['acr'];
}

/** Returns the frozen principal of a session. */
export const principalOf = ({
  userId,
  user,
  id,
  via,
  auth_time: authTime,
  acr,
}: PrincipalSession): UserPrincipal =>
  Object.freeze({
    kind: 'user',
    id: userId,
    scopes: scopesOf(user.roles),
    roles: user.roles,
    sessionId: id,
    via,
    authTime,
    acr,
  });

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guards, and by ingest when an authorization header was sent. */
    principal: Principal | undefined;
  }
}
