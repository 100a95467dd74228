/** The scopes of API keys. `admin` includes the others. */
export const apiKeyScopes = ['analytics:write', 'analytics:read', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** The roles of users in the console. `admin` includes `viewer`. */
export const roles = ['admin', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Returns the scopes of a user with these roles. */
export function scopesOf(userRoles: readonly Role[]): readonly ApiKeyScope[] {
  if (userRoles.includes('admin')) return ['admin'];
  return userRoles.includes('viewer') ? ['analytics:read'] : [];
}

/** True for users with any role, who may open the front page of the console. */
export const hasAnyRole = (userRoles: readonly Role[]): boolean => userRoles.length > 0;

/** True when the caller has the scope or is an admin. */
export const hasScope = (
  caller: { scopes: readonly ApiKeyScope[] } | undefined,
  scope: ApiKeyScope,
): boolean =>
  caller !== undefined && (caller.scopes.includes(scope) || caller.scopes.includes('admin'));
