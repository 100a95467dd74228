import { bareHostname } from './hostname.ts';
import { cleanPath } from './page-url.ts';
import { cutText } from './query-params.ts';
import { sourceOfAndroidApp, sourceOfHost } from './source-lookup.ts';
import type { SourceCategory } from './sources.ts';

const MAX_LENGTH = 2048;
const BARE_HOST = /^[a-z0-9][a-z0-9.-]{0,252}\.[a-z]{2,24}(?:[/?#]|$)/i;
const ANDROID_APP = /^android-app:\/\/([a-z][\w.]{0,127})(?:[/?#]|$)/i;

/** Where a visit came from. All null for a direct visit. */
export interface Referrer {
  /**
   * Host and path without query (`news.ycombinator.com/item`), at most 2,048 characters; or an
   * Android package name.
   */
  referrer: string | null;
  /** Lower-case host name without `www.`; null for apps. */
  host: string | null;
  /** A readable name (`Google`, `Hacker News`), else the host or the package name. */
  source: string | null;
  /** Null for a site that is on none of our lists. */
  category: SourceCategory | null;
}

/** The answer for a visit that came from nowhere we may know. */
export const DIRECT: Referrer = Object.freeze({
  referrer: null,
  host: null,
  source: null,
  category: null,
});

/**
 * Reads a referrer: an http(s) URL, a host name with or without a path, or `android-app://package`.
 * The query, the fragment and user names are never kept. Direct when it is empty, not readable, has
 * another scheme, or its host is `ownHostname` (the page's own; with and without `www.` are the
 * same, other subdomains are not). Never throws.
 */
export function parseReferrer(referrer: string, ownHostname: string | null): Referrer {
  const text = withoutQuery(referrer.slice(0, MAX_LENGTH).trim());
  if (text === '') return DIRECT;
  const app = ANDROID_APP.exec(text)?.[1];
  if (app !== undefined) return fromApp(app);
  const url = parseHttp(BARE_HOST.test(text) ? `https://${text}` : text);
  if (url === null) return DIRECT;
  const host = bareHostname(url.hostname);
  if (
    host === '' ||
    host.length > 253 ||
    (ownHostname !== null && host === bareHostname(ownHostname))
  )
    return DIRECT;
  const known = sourceOfHost(host);
  const path = url.pathname === '/' ? '' : cleanPath(cutPath(url.pathname));
  return {
    referrer: cutPath(host + path),
    host,
    source: known?.name ?? host,
    category: known?.category ?? null,
  };
}

/** Also cut further where other letters than ASCII make three to nine characters of one. */
function withoutQuery(text: string): string {
  const bare = text.split(/[?#]/, 1)[0] ?? '';
  return /^[\u0000-\u007f]*$/.test(bare) ? bare : cutText(bare, MAX_LENGTH / 4);
}

function fromApp(packageName: string): Referrer {
  const known = sourceOfAndroidApp(packageName.toLowerCase());
  return {
    referrer: packageName,
    host: null,
    source: known?.name ?? packageName,
    category: known?.category ?? null,
  };
}

/** Cut without leaving half an escape at the end. */
function cutPath(text: string): string {
  return text.length <= MAX_LENGTH ? text : cutText(text, MAX_LENGTH).replace(/%[0-9A-F]?$/, '');
}

function parseHttp(text: string): URL | null {
  // The URL parser would drop line breaks silently.
  if (!/^https?:\/\/[^/\\?#]{1,320}(?:[/\\?#]|$)/i.test(text) || /[\u0000-\u001f\u007f]/.test(text))
    return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
