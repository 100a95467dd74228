import { parseUrl } from '../../../lib/net/parse-url.ts';
import { isCampaignKey } from '../links/campaign.ts';
import { normaliseEscapes, partKey, queryParts, safePart } from '../links/query-params.ts';

const maxBytes = 2048;
const plainPath = /^(?:\/(?!\.{0,2}(?:\/|$))[\w\-.~!$&'()*+,:@]+)+\/?$|^\/$/;
const schemePattern = /^[a-z][a-z0-9+.-]*:/i;
// A host name has at most 253 characters, and the URL parser is slow on very long ones.
const httpUrlPattern = /^https?:\/\/[^/\\?#]{1,320}(?:[/\\?#]|$)/i;
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** Why the url of an event was rejected. */
export type PageUrlError = 'url_invalid' | 'url_scheme' | 'url_too_long';

/** The sanitised page of an event. */
export interface PageUrl {
  /** Lower-case, punycode, `www.` kept, without a port; null when only a path was given. */
  hostname: string | null;
  /** Starts with one `/`; a hash route (`/app#/settings`) is part of it. */
  pathname: string;
  /** Without the `?`; null if empty. */
  query: string | null;
  /** The sanitised url. Parsing it again gives the same result. */
  href: string;
}

interface Split {
  origin: string;
  hostname: string | null;
  pathname: string;
  search: string;
  hash: string;
}

/**
 * Parses the url of an event: a path (`/pricing?x=1`, also `pricing`) or an absolute http(s) URL of
 * at most 2,048 bytes, both before and after normalising (WHATWG URL, RFC 3986 §6.2.2).
 *
 * Removed: user name and password, the fragment unless it is a hash route (`#/…`, `#!/…`), query
 * parameters whose names suggest secrets or personal data, utm parameters and click ids (parse
 * these with `parseCampaign` from the raw url), parameters after the 50th, default ports,
 * `;jsessionid=…` and the like, repeated leading slashes.
 *
 * Rejected: other schemes (`url_scheme`), control characters and invalid URLs (`url_invalid`),
 * `url_too_long`. Never throws.
 */
export function parsePageUrl(url: string): PageUrl | { error: PageUrlError } {
  if (isTooLong(url)) return { error: 'url_too_long' };
  if (plainPath.test(url)) return { hostname: null, pathname: url, query: null, href: url };
  const text = url.trim();
  if (text === '' || controlCharacter.test(text)) return { error: 'url_invalid' };
  if (schemePattern.test(text) && !/^https?:/i.test(text)) return { error: 'url_scheme' };
  const split = schemePattern.test(text) ? splitAbsolute(text) : splitPath(text);
  return split === null ? { error: 'url_invalid' } : sanitise(split);
}

/**
 * Normalises a URL path: escapes, a single leading slash, and no `;key=value` parameters, which are
 * nearly always session ids (`/cart;jsessionid=1A2B`).
 */
export function cleanPath(pathname: string): string {
  const path = normaliseEscapes(pathname);
  // Without its parameter, `/a/..;x=1/b` has dot segments again.
  const bare = path.includes(';')
    ? (parseUrl(`http://host${path.replace(/;[^;/=]*=[^;/]*/g, '')}`)?.pathname ?? '/')
    : path;
  return bare.replace(/^[/\\]+/, '/');
}

function isTooLong(url: string): boolean {
  return url.length > maxBytes || (url.length * 3 > maxBytes && Buffer.byteLength(url) > maxBytes);
}

function splitAbsolute(text: string): Split | null {
  if (!httpUrlPattern.test(text)) return null;
  const parsed = parseUrl(text);
  if (parsed === undefined) return null;
  const hostname = parsed.hostname.endsWith('.') ? parsed.hostname.slice(0, -1) : parsed.hostname;
  if (hostname.length > 253 || /^\.|^$|\.\.|\.$/.test(hostname)) return null;
  const port = parsed.port === '' ? '' : `:${parsed.port}`;
  const { pathname, search, hash } = parsed;
  return { origin: `${parsed.protocol}//${hostname}${port}`, hostname, pathname, search, hash };
}

function splitPath(text: string): Split | null {
  const parsed = parseUrl(`http://host/${text.replace(/^[/\\]+/, '')}`);
  if (parsed === undefined) return null;
  const { pathname, search, hash } = parsed;
  return { origin: '', hostname: null, pathname, search, hash };
}

function sanitise({
  origin,
  hostname,
  pathname,
  search,
  hash,
}: Split): PageUrl | { error: PageUrlError } {
  if (pathname.length > maxBytes || search.length + hash.length > 2 * maxBytes)
    return { error: 'url_too_long' };
  const route = /^#!?\//.test(hash) ? hash : '';
  const mark = route.indexOf('?');
  const routePath = normaliseEscapes(mark === -1 ? route : route.slice(0, mark));
  const path = cleanPath(pathname) + routePath;
  const query = cleanQuery(search.slice(1), mark === -1 ? '' : route.slice(mark + 1));
  const href = origin + path + (query === null ? '' : `?${query}`);
  return href.length > maxBytes
    ? { error: 'url_too_long' }
    : { hostname, pathname: path, query, href };
}

function cleanQuery(search: string, routeQuery: string): string | null {
  const all = routeQuery === '' ? search : `${search}&${routeQuery}`;
  const parts = queryParts(normaliseEscapes(all))
    .filter((part) => !isCampaignKey(partKey(part)))
    .map(safePart)
    .filter((part) => part !== null);
  // In fragments, and so in the query of a hash route, the URL standard also encodes backticks.
  return parts.length === 0 ? null : parts.join('&').replaceAll('`', '%60');
}
