export interface UrlParts {
  hostname: string | null | undefined;
  /** Path, perhaps with a hash route behind it (`/app#/settings`). */
  pathname: string;
  /** Without the `?`. */
  query: string | null | undefined;
  /** Parameters to add unless the query has them: campaign tags, click ids. */
  tags: readonly (readonly [key: string, value: string | null | undefined])[];
}

/** Escapes only what would end a query value, so that it stays short. */
const escapeValue = (text: string) =>
  text.replace(/[%&#+]/g, encodeURIComponent).replaceAll(' ', '+');

const hasKey = (query: string, key: string) => `&${query.toLowerCase()}`.includes(`&${key}=`);

/** Puts a page's URL together again from its stored parts; a path when there is no host name. */
export function joinUrl({ hostname, pathname, query, tags }: UrlParts): string {
  const mark = pathname.indexOf('#');
  const path = mark === -1 ? pathname : pathname.slice(0, mark);
  const route = mark === -1 ? '' : pathname.slice(mark);
  const given = (query ?? '').replace(/^\?/, '');
  const added = tags
    .filter(
      ([key, value]) =>
        value !== null && value !== undefined && value !== '' && !hasKey(given, key),
    )
    .map(([key, value]) => `${key}=${escapeValue(value ?? '')}`);
  const all = [given, ...added].filter((part) => part !== '').join('&');
  const origin =
    hostname === null || hostname === undefined || hostname === '' ? '' : `https://${hostname}`;
  return `${origin}${path.startsWith('/') ? '' : '/'}${path}${all === '' ? '' : `?${all}`}${route}`;
}
