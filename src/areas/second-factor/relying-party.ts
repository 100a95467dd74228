import { isIP } from 'node:net';

/** Whom passkeys are made for (WebAuthn §4, "Relying Party"). */
export interface RelyingParty {
  /** The host name that they are bound to, for good. */
  id: string;
  /** The origin of our own pages. */
  origin: string;
  /**
   * Those whose pages may use them: ours, and those of apps on the same host or below it, which
   * browsers let.
   */
  origins: string[];
  /** What browsers show. */
  name: string;
}

const isLoopback = (host: string): boolean =>
  /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1|::)$/.test(host);

/**
 * The relying party of a service at `baseUrl`. On this machine it is `localhost`, since an IP
 * address can't be one; for any other address without a host name there is none.
 */
export function relyingPartyOf(
  baseUrl: string,
  name: string,
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
  return { id, origin: url.origin, origins: [url.origin, ...apps], name };
}
