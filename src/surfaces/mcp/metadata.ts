import { apiKeyScopes } from '../../lib/access.ts';

export const mcpPath = '/api/v2/mcp';
export const metadataPath = '/.well-known/oauth-protected-resource';

/** The scopes that tools need. None of them writes events. */
const mcpScopes = apiKeyScopes.filter((scope) => scope !== 'analytics:write');

/** True for a URL whose path ends in a slash. */
export const hasSlash = (url: string): boolean => /\/(?:\?|$)/.test(url);

/** The URL of the metadata: with a slash at its end where the resource has one. */
export const metadataUrl = (baseUrl: string, endsInSlash: boolean): string =>
  `${baseUrl}${metadataPath}${mcpPath}${endsInSlash ? '/' : ''}`;

/**
 * The metadata of the protected resource (RFC 9728 §2). There are no `authorization_servers`:
 * callers have an API key, or sign in to this service, and neither is an OAuth flow.
 */
export const protectedResource = (baseUrl: string, name: string, endsInSlash: boolean) => ({
  resource: `${baseUrl}${mcpPath}${endsInSlash ? '/' : ''}`,
  resource_name: name,
  scopes_supported: mcpScopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/developer/guides/mcp`,
});
