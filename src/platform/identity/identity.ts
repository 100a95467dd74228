import 'fastify';
import { type ApiKeyScope, type Role, scopesOf } from '../../lib/access.ts';

/** A program with an API key. */
export interface KeyPrincipal {
  kind: 'api_key';
  /** The key's id, or `env` for ADMIN_API_KEY. */
  id: string;
  scopes: readonly ApiKeyScope[];
}

/** A person who has signed in. */
export interface UserPrincipal {
  kind: 'user';
  /** The user's id. */
  id: string;
  scopes: readonly ApiKeyScope[];
  roles: readonly Role[];
  sessionId: string;
  /** How the session is held: a browser's cookie, or a bearer token. */
  via: 'cookie' | 'bearer';
  /** When the person last proved who they are, Unix ms. */
  authTime: number;
  /** Authenticator assurance level (NIST SP 800-63B): aal2 after a second factor. */
  acr: 'aal1' | 'aal2';
}

/** Who is asking, as far as the request has proved it. */
export type Principal = KeyPrincipal | UserPrincipal;

/** What is known of a session that makes a person out of it. */
export interface HeldSession {
  id: string;
  userId: string;
  user: { roles: readonly Role[] };
  via: UserPrincipal['via'];
  auth_time: number;
  acr: UserPrincipal['acr'];
}

/** The person of a session. */
export const principalOf = ({
  userId,
  user,
  id,
  via,
  auth_time: authTime,
  acr,
}: HeldSession): UserPrincipal =>
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

/** True when the principal holds the scope, or is an admin. */
export function hasScope(principal: Principal | undefined, scope: ApiKeyScope): boolean {
  return (
    principal !== undefined &&
    (principal.scopes.includes(scope) || principal.scopes.includes('admin'))
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guards, and by ingest when an authorization header was sent. */
    principal: Principal | undefined;
  }
}
