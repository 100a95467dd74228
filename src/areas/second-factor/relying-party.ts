import { isIP } from 'node:net';

/** Whom passkeys are made for (WebAuthn §4, "Relying Party"). */
export interface RelyingParty {
  /** The host name that they are bound to, for good. */
  id: string;
  /** The only origin whose pages may use them. */
  origin: string;
  /** What browsers show. */
  name: string;
}

const isLoopback = (host: string): boolean => /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1|::)$/.test(host);

/**
 * The relying party of a service at `baseUrl`. On this machine it is `localhost`, since an IP address can't be one;
 * for any other address without a host name there is none.
 */
export function relyingPartyOf(baseUrl: string, name: string): RelyingParty | undefined {
  const url = new URL(baseUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(host)) url.hostname = 'localhost';
  else if (isIP(host) !== 0) return undefined;
  return { id: url.hostname, origin: url.origin, name };
}
