import { parseUrl } from './parse-url.ts';
const maxLength = 2048;
// Exactly one leading slash, because browsers parse `//host` and `/\host` as another host. Some
// parsers drop control characters and spaces, so `/%09/host` must not be decoded to `/<tab>/host`
// either.
const localPath = /^\/(?![/\\])[^\s\p{Cc}\\]*$/u;
const encodedControl = /%(?:0[0-9a-f]|1[0-9a-f]|7f|5c)/i;

/** Invalid percent-encoding is refused, because another parser might interpret it differently. */
function isDecodable(text: string): boolean {
  try {
    decodeURI(text);
    return true;
  } catch {
    return false;
  }
}

/** True when another parser could take part of the path for a host: `/..//host`, `/x@host`. */
function isAmbiguous(path: string): boolean {
  return path.includes('//') || path.includes('@') || encodedControl.test(path);
}

/**
 * Returns the redirect target after a sign-in: `next`, with query and fragment, when it is a path
 * of this origin, else `/`. Never another origin (OWASP ASVS 5.0 §3.7.2).
 */
export function safeRedirect(next: string | undefined, baseOrigin: string): string {
  if (next === undefined || next.length > maxLength || !localPath.test(next) || !isDecodable(next))
    return '/';
  const url = parseUrl(next, baseOrigin);
  if (url === undefined) return '/';
  const given = /^[^?#]*/.exec(next)?.[0] ?? '';
  if (url.origin !== baseOrigin || isAmbiguous(given) || isAmbiguous(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}
