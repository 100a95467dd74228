/**
 * Parses a URL (WHATWG), relative to `base` if given. Returns undefined for an invalid URL.
 *
 * In place of `URL.canParse`: in Node 20, once the compiler has optimized its callers, it refuses
 * every URL with a letter such as ü.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
