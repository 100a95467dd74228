import { isIP } from 'node:net';

/** WebAuthn §4, "Relying Party". */
export interface RelyingParty {
  /** The host name that passkeys are bound to permanently. */
  id: string;
  /** The origin of our own pages. */
  origin: string;
  /** Origins that may use passkeys: ours, and those of apps on the same host or a subdomain. */
  origins: string[];
}

const isLoopback = (host: string): boolean =>
  /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1|::)$/.test(host);

/**
 * The relying party of a service at `baseUrl`. For loopback addresses it is `localhost`, because an
 * IP address can't be a relying party id; for other IP addresses it is undefined.
 */
export function relyingPartyOf(
  baseUrl: string,
  appOrigins: readonly string[] = [],
): RelyingParty | undefined {
  const url = new URL(baseUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(host)) url.hostname = 'localhost';
  else if (isIP(host) !== 0) return undefined;
  const id = url.hostname;
  const apps = appOrigins.filter(
    (each) => new URL(each).hostname === id || new URL(each).hostname.endsWith(`.${id}`),
  );
  return { id, origin: url.origin, origins: [url.origin, ...apps] };
}
