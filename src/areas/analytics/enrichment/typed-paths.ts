import { readablePath, typedEscapes } from '../../../lib/text/readable-path.ts';
import { percentDecode } from '../links/query-params.ts';
import { bareHostname } from './hostname.ts';
import { parsePageUrl } from './page-url.ts';
import { parseUrl } from '../../../lib/net/parse-url.ts';

const isAbsolute = (text: string): boolean => /^\s*https?:\/\//i.test(text);

/**
 * Returns the path under which events of this page are stored, for a path or an absolute URL as
 * someone typed or copied it: `/danke-f%C3%BCr` for `/danke-für` and
 * `https://a.example/danke-für`. Returns other text unchanged.
 */
export function toStoredPath(text: string): string {
  // Parsers of URLs take a backslash for a slash; nobody who types one means a page by it.
  if (text.startsWith('\\')) return text;
  const page = parsePageUrl(text);
  return 'error' in page ? text : page.pathname;
}

/** True for a page pattern that can match: it begins with `/`, `*`, or is an absolute URL. */
export const isPagePattern = (text: string): boolean =>
  /^[/*]/.test(text) || (isAbsolute(text) && !('error' in parsePageUrl(text)));

/** The same as `toStoredPath` for a pattern, in which `*` stands for any text. */
export function toStoredPattern(pattern: string): string {
  const [stars = ''] = /^\**/.exec(pattern) ?? [];
  if (stars === '') return toStoredPath(pattern);
  // After a star the rest is not the beginning of a path, so it keeps its slashes.
  const rest = parsePageUrl(`/-${pattern.slice(stars.length)}`);
  return 'error' in rest ? pattern : stars + rest.pathname.slice(2);
}

/** Returns what a part of a path may be in a stored path, or in a readable one. */
export function storedParts(part: string): string[] {
  const text = isAbsolute(part) ? toStoredPath(part) : part;
  return [text, readablePath(text.replace(anyEscape, normaliseEscape))];
}

/** Returns the host name as events store it: lower-case, punycode, without `www.`. */
export function storedHostname(text: string): string {
  const url = parseUrl(isAbsolute(text) ? text.trim() : `http://${text.trim()}`);
  return url === undefined ? text : bareHostname(url.hostname);
}

const escapeSyntax = (text: string): string =>
  text.replace(/[\\^$.|?*+()[\]{}-]/g, String.raw`\$&`);
const unreserved = /^[\w.~-]$/;
const anyEscape = /%[\da-f]{2}/gi;

/** Returns the escape in upper case, or the character that needs none (RFC 3986 §6.2.2). */
function normaliseEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return unreserved.test(character) ? character : escape.toUpperCase();
}

/** Decodes the escapes that readable paths do not have. */
function readableEscapes(pattern: string): string {
  return pattern.replace(typedEscapes, (escapes) => {
    const decoded = percentDecode(escapes);
    return decoded.includes('\uFFFD') ? escapes : escapeSyntax(decoded);
  });
}

/** Returns a regular expression for stored paths, and one for readable paths. */
export function storedExpressions(pattern: string): [stored: string, readable: string] {
  const stored = pattern.replace(anyEscape, (escape) => {
    const normal = normaliseEscape(escape);
    return normal.length === 1 ? escapeSyntax(normal) : normal;
  });
  return [stored, readableEscapes(stored)];
}
