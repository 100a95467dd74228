import { apiKeyScopes } from '../../lib/access.ts';

export const mcpPath = '/api/v2/mcp';
export const metadataPath = '/.well-known/oauth-protected-resource';

/** The scopes that tools can need. No tool writes events. */
const mcpScopes = apiKeyScopes.filter((scope) => scope !== 'analytics:write');

/** True for a URL whose path ends with a slash. */
export const hasSlash = (url: string): boolean => /\/(?:\?|$)/.test(url);

/** The URL of the metadata, with a trailing slash if the URL of the resource has one. */
export const metadataUrl = (baseUrl: string, endsInSlash: boolean): string =>
  `${baseUrl}${metadataPath}${mcpPath}${endsInSlash ? '/' : ''}`;

/**
 * The metadata of the protected resource (RFC 9728 §2), without `authorization_servers`: callers
 * use an API key or sign in to this service, and neither is an OAuth flow.
 */
export const protectedResource = (baseUrl: string, name: string, endsInSlash: boolean) => ({
  resource: `${baseUrl}${mcpPath}${endsInSlash ? '/' : ''}`,
  resource_name: name,
  scopes_supported: mcpScopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/developer/guides/mcp`,
});
