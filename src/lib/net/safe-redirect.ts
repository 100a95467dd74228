const maxLength = 2048;
// One slash and no second one: browsers read `//host` and `/\host` as another host. Control
// characters and spaces are dropped by some parsers before they look, so `/%09/host` may not come
// back as `/<tab>/host` either.
const localPath = /^\/(?![/\\])[^\s\p{Cc}\\]*$/u;
const encodedControl = /%(?:0[0-9a-f]|1[0-9a-f]|7f|5c)/i;

/** What has no meaning may be given one by whoever reads it next. */
function isDecodable(text: string): boolean {
  try {
    decodeURI(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a later reader could take part of the path for a host: `/..//host`, `/x@host`. */
function isAmbiguous(path: string): boolean {
  return path.includes('//') || path.includes('@') || encodedControl.test(path);
}

/**
 * Where to go after a sign-in: `next` when it is a path of this origin, with its query and
 * fragment, else `/`. Never another origin, whatever `next` is (OWASP ASVS 5.0 §3.7.2).
 */
export function safeRedirect(next: string | undefined, baseOrigin: string): string {
  if (
    next === undefined ||
    next.length > maxLength ||
    !localPath.test(next) ||
    !isDecodable(next) ||
    !URL.canParse(next, baseOrigin)
  )
    return '/';
  const url = new URL(next, baseOrigin);
  const given = /^[^?#]*/.exec(next)?.[0] ?? '';
  if (url.origin !== baseOrigin || isAmbiguous(given) || isAmbiguous(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}
