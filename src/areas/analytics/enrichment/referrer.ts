import { parseUrl } from '../../../lib/net/parse-url.ts';
import { bareHostname } from './hostname.ts';
import { cleanPath } from './page-url.ts';
import { cutText } from '../links/query-params.ts';
import { findSourceByAndroidApp, findSourceByHost } from './source-lookup.ts';
import type { SourceCategory } from './sources.ts';

const maxLength = 2048;
const bareHostPattern = /^[a-z0-9][a-z0-9.-]{0,252}\.[a-z]{2,24}(?:[/?#]|$)/i;
const androidAppPattern = /^android-app:\/\/([a-z][\w.]{0,127})(?:[/?#]|$)/i;

/** Where a visit came from. All null for a direct visit. */
export interface Referrer {
  /**
   * Host and path (`news.ycombinator.com/item`), at most 2,048 characters; or an Android package.
   */
  referrer: string | null;
  /** Lower-case host name without `www.`; null for apps. */
  host: string | null;
  /** A readable name (`Google`, `Hacker News`), else the host or the package name. */
  source: string | null;
  /** Null for an unlisted site. */
  category: SourceCategory | null;
}

/** The result for a visit without a referrer. */
export const directVisit: Referrer = Object.freeze({
  referrer: null,
  host: null,
  source: null,
  category: null,
});

/**
 * Parses a referrer: an http(s) URL, a host name with or without a path, or an `android-app://`
 * package. Query, fragment and credentials are removed. Returns `directVisit` if it is empty,
 * invalid, has another scheme, or its host is the page's `ownHostname` (ignoring `www.`). Never
 * throws.
 */
export function parseReferrer(referrer: string, ownHostname: string | null): Referrer {
  const text = withoutQuery(referrer.slice(0, maxLength).trim());
  if (text === '') return directVisit;
  const app = androidAppPattern.exec(text)?.[1];
  if (app !== undefined) return fromApp(app);
  const url = parseHttp(bareHostPattern.test(text) ? `https://${text}` : text);
  if (url === undefined) return directVisit;
  const host = bareHostname(url.hostname);
  if (
    host === '' ||
    host.length > 253 ||
    (ownHostname !== null && host === bareHostname(ownHostname))
  )
    return directVisit;
  const known = findSourceByHost(host);
  const path = url.pathname === '/' ? '' : cleanPath(cutPath(url.pathname));
  return {
    referrer: cutPath(host + path),
    host,
    source: known?.name ?? host,
    category: known?.category ?? null,
  };
}

/** Truncates non-ASCII text further, since escaping turns a character into three to nine. */
function withoutQuery(text: string): string {
  const bare = text.split(/[?#]/, 1)[0] ?? '';
  return /^[\u0000-\u007f]*$/.test(bare) ? bare : cutText(bare, maxLength / 4);
}

function fromApp(packageName: string): Referrer {
  const known = findSourceByAndroidApp(packageName.toLowerCase());
  return {
    referrer: packageName,
    host: null,
    source: known?.name ?? packageName,
    category: known?.category ?? null,
  };
}

/** Truncates without splitting an escape at the end. */
function cutPath(text: string): string {
  return text.length <= maxLength ? text : cutText(text, maxLength).replace(/%[0-9A-F]?$/, '');
}

function parseHttp(text: string): URL | undefined {
  // The URL parser would silently drop line breaks.
  if (!/^https?:\/\/[^/\\?#]{1,320}(?:[/\\?#]|$)/i.test(text) || /[\u0000-\u001f\u007f]/.test(text))
    return undefined;
  return parseUrl(text);
}
