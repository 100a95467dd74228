import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The longest URL that browsers and proxies reliably accept. */
export const maxUrlLength = 2048;

/**
 * Why a URL must not be a target of a link that anyone follows: `invalid`: no absolute URL, too
 * long, or with spaces or control characters; `scheme`: not http or https; `credentials`: has a
 * user name or password; `private`: a host that is not on the public internet; `own`: a short link
 * of this service, which could loop.
 */
export type UrlProblem = 'invalid' | 'scheme' | 'credentials' | 'private' | 'own';

// RFC 6761, RFC 6762, RFC 8375, RFC 9476, and `.internal`, which ICANN reserved for private use.
const privateNames =
  /(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|intranet|corp|home|test|invalid|alt)$/;
const shortLinks = /^\/+(?:q|n)(?:\/|$)/i;
const unsafe = /[\s\p{Cc}\p{Cf}\\]/u;

/** True for an IP address that is not routed on the internet, or that embeds another one. */
function isPrivateAddress(host: string): boolean {
  const text = host.replace(/^\[|\]$/g, '');
  return isIP(text) !== 0 && ipaddr.process(text).range() !== 'unicast';
}

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return isPrivateAddress(host);
  return !host.includes('.') || privateNames.test(host);
}

/** The path as a server reads it, with percent-encoded letters and dot segments resolved. */
function plainPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/**
 * Returns what forbids a URL as the target of a public link; undefined for a fine one.
 * `ownOrigin` is the origin of this service, whose other pages are fine.
 */
export function publicUrlProblem(text: string, ownOrigin: string): UrlProblem | undefined {
  if (text.length > maxUrlLength || unsafe.test(text) || !URL.canParse(text)) return 'invalid';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  if (url.hostname === new URL(ownOrigin).hostname)
    return shortLinks.test(plainPath(url)) ? 'own' : undefined;
  return isPrivateHost(url.hostname) ? 'private' : undefined;
}

const messages: Readonly<Record<UrlProblem, string>> = {
  invalid: 'must be an absolute URL of at most 2048 characters, without spaces',
  scheme: 'must start with https:// or http://',
  credentials: 'must not contain a user name or a password',
  private: 'must lead to a host on the public internet',
  own: 'must not be a short link of this service, because it could lead to itself',
};

/** What is wrong with the target of a public link, as a message; undefined for a fine one. */
export function publicUrlMessage(text: string, ownOrigin: string): string | undefined {
  const problem = publicUrlProblem(text, ownOrigin);
  return problem === undefined ? undefined : messages[problem];
}
