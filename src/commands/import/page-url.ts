export interface UrlParts {
  hostname: string | null | undefined;
  /** May end with a hash route: `/app#/settings`. */
  pathname: string;
  /** With or without the leading `?`. */
  query: string | null | undefined;
  /** Parameters to add unless the query has them: campaign tags, click ids. */
  tags: readonly (readonly [key: string, value: string | null | undefined])[];
}

/** Escapes only the characters that would end a query value, to keep URLs short. */
const escapeValue = (text: string) =>
  text.replace(/[%&#+]/g, encodeURIComponent).replaceAll(' ', '+');

const hasKey = (query: string, key: string) => `&${query.toLowerCase()}`.includes(`&${key}=`);

/** Rebuilds a page's URL from its stored parts; only a path without a host name. */
export function joinUrl({ hostname, pathname, query, tags }: UrlParts): string {
  const hashIndex = pathname.indexOf('#');
  const path = hashIndex === -1 ? pathname : pathname.slice(0, hashIndex);
  const route = hashIndex === -1 ? '' : pathname.slice(hashIndex);
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
