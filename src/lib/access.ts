/** What an API key may do. `admin` includes the others. */
export const apiKeyScopes = ['analytics:write', 'analytics:read', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** What a person may do in the console. `admin` includes `viewer`. */
export const roles = ['admin', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The scopes that a person with these roles has. */
export function scopesOf(held: readonly Role[]): readonly ApiKeyScope[] {
  if (held.includes('admin')) return ['admin'];
  return held.includes('viewer') ? ['analytics:read'] : [];
}

/** True for people with a role: the front page of the console is open to them. */
export const hasAnyRole = (held: readonly Role[]): boolean => held.length > 0;
