import { apiKeyScopes } from '../../lib/access.ts';

export const mcpPath = '/api/v2/mcp';
export const metadataPath = '/.well-known/oauth-protected-resource';

/** What tools ask for; events are not written here. */
export const mcpScopes = apiKeyScopes.filter((scope) => scope !== 'analytics:write');

/** True for an address that ends in a slash. */
export const hasSlash = (url: string): boolean => /\/(?:\?|$)/.test(url);

/** Where the metadata of the address are that was asked for, with or without a slash at its end as that. */
export const metadataUrl = (baseUrl: string, isWithSlash: boolean): string =>
  `${baseUrl}${metadataPath}${mcpPath}${isWithSlash ? '/' : ''}`;

/**
 * What a client must know to get in (RFC 9728 §2). There is no `authorization_servers`: who may come in has an API key, or signs in
 * to this service, neither of which is an OAuth flow that a client could run by itself.
 */
export const protectedResource = (baseUrl: string, name: string, isWithSlash: boolean) => ({
  resource: `${baseUrl}${mcpPath}${isWithSlash ? '/' : ''}`,
  resource_name: name,
  scopes_supported: mcpScopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${baseUrl}/developer/guides/mcp`,
});
