import 'fastify';

/** What an API key may do. `admin` includes the others. */
export const apiKeyScopes = ['analytics:write', 'analytics:read', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Who is asking, as far as the request has proved it. */
export interface Principal {
  kind: 'api_key';
  /** The key's id, or `env` for ADMIN_API_KEY. */
  id: string;
  scopes: readonly ApiKeyScope[];
}

/** True when the principal holds the scope, or is an admin. */
export function hasScope(principal: Principal | undefined, scope: ApiKeyScope): boolean {
  return principal !== undefined && (principal.scopes.includes(scope) || principal.scopes.includes('admin'));
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guards, and by ingest when an authorization header was sent. */
    principal: Principal | undefined;
  }
}
