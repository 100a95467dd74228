import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from './parse-url.ts';

/** The longest URL that browsers and proxies reliably accept. */
export const maxUrlLength = 2048;

/**
 * Why a URL must not be a target of a link that anyone follows: `invalid`: no absolute URL, too
 * long once it is encoded, or with spaces or control characters; `scheme`: not http or https;
 * `credentials`: has a user name or password; `private`: a host that is not on the public internet;
 * `own`: a short link of this service, which could loop.
 */
export type UrlProblem = 'invalid' | 'scheme' | 'credentials' | 'private' | 'own';

// RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, and `.internal`, which ICANN reserved for
// private use; the others are names of private networks by custom.
const privateNames = new RegExp(
  `(?:^|\\.)(?:${[
    ...['localhost', 'localdomain', 'local', 'internal', 'private', 'intranet', 'corp', 'home'],
    ...[String.raw`home\.arpa`, 'lan', 'onion', 'i2p', 'test', 'invalid', 'alt'],
  ].join('|')})$`,
);
const shortLinks = /^\/+(?:q|n)(?:\/|$)/i;
/** Joiners, which are in emoji and in Persian words, are the only format characters that may be. */
const unsafe = /[\s\p{Cc}\\]|(?![\u200c\u200d])\p{Cf}/u;
/** What RFC 3986 allows nowhere in a URL, except for brackets and the like that browsers leave. */
const notUrl = /[^\x21\x23-\x3b\x3d\x3f-\x7e]/gu;

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';
const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';

const parseSafely = (text: string): URL | undefined =>
  unsafe.test(text) || !text.isWellFormed() ? undefined : parseUrl(text);

/**
 * Returns a web address as it is stored and sent: the host in lower case and punycode, numbers as
 * dotted IPv4, the path resolved and percent-encoded, as browsers do (WHATWG URL). Query and
 * fragment keep their text, because it may be signed: only invalid characters are encoded.
 * Undefined for anything else than an http or https URL without credentials, spaces and controls.
 */
export function normalUrl(text: string): string | undefined {
  const url = parseSafely(text);
  if (url === undefined || !isWeb(url) || hasCredentials(url)) return undefined;
  const rest = /[?#].*$/.exec(text)?.[0] ?? '';
  return url.origin + url.pathname + rest.replace(notUrl, encodeURIComponent);
}

/** A URL as it is stored, if it is one; for schemas, whose rules judge it afterwards. */
export const storedUrl = (text: string): string => normalUrl(text) ?? text;

/** What the internet routes (RFC 4291 §2.4): not those that embed an IPv4 address at their end. */
const isGlobalUnicast = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'unicast' && ('octets' in address || (address.parts[0] ?? 0) >> 13 === 1);

const bareHost = (hostname: string): string => hostname.replace(/\.+$/, '').toLowerCase();

function isPrivateHost(hostname: string): boolean {
  const host = bareHost(hostname);
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return !isGlobalUnicast(ipaddr.process(address));
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

const maxNesting = 3;

/** Whether a URL of this service is a short link, or leads to one with a parameter like `next`. */
function leadsToShortLink(url: URL, nesting = maxNesting): boolean {
  if (shortLinks.test(plainPath(url))) return true;
  return (
    nesting > 0 &&
    [...url.searchParams.values()].some((value) => {
      const next = parseUrl(value, url.origin);
      return (
        next !== undefined &&
        bareHost(next.hostname) === bareHost(url.hostname) &&
        leadsToShortLink(next, nesting - 1)
      );
    })
  );
}

/**
 * Returns what forbids a URL as the target of a public link, judged as `normalUrl` writes it;
 * undefined for a fine one. `ownOrigin` is the origin of this service, whose other pages are fine.
 */
export function publicUrlProblem(text: string, ownOrigin?: string): UrlProblem | undefined {
  const url = parseSafely(text);
  if (url === undefined) return 'invalid';
  if (!isWeb(url)) return 'scheme';
  if (hasCredentials(url)) return 'credentials';
  if (storedUrl(text).length > maxUrlLength) return 'invalid';
  if (ownOrigin !== undefined && bareHost(url.hostname) === bareHost(new URL(ownOrigin).hostname))
    return leadsToShortLink(url) ? 'own' : undefined;
  return isPrivateHost(url.hostname) ? 'private' : undefined;
}

const messages: Readonly<Record<UrlProblem, string>> = {
  invalid:
    'must be an absolute URL of at most 2048 characters, percent-encoded ones included, without ' +
    'spaces',
  scheme: 'must start with https:// or http://',
  credentials: 'must not contain a user name or a password',
  private: 'must lead to a host on the public internet',
  own: 'must not be a short link of this service, because it could lead to itself',
};

/** What is wrong with a web address, wherever it leads, as a message; undefined for a fine one. */
export function webUrlMessage(text: string): string | undefined {
  const problem = publicUrlProblem(text);
  return problem === undefined || problem === 'private' ? undefined : messages[problem];
}

/** What is wrong with the target of a public link, as a message; undefined for a fine one. */
export function publicUrlMessage(text: string, ownOrigin: string): string | undefined {
  const problem = publicUrlProblem(text, ownOrigin);
  return problem === undefined ? undefined : messages[problem];
}
