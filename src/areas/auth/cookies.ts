import { clearedCookieHeader, cookieValues, setCookieHeader } from '../../platform/http/cookies.ts';

/** The name that the interface promises. Every host below the same domain can write it, and so can a page by plain http. */
const plainName = 'svc_session';
/** Browsers let nobody but this host, by https, write a `__Host-` cookie. */
const hostName = '__Host-svc_session';
/** So many values are tried: each that looks like a session costs a question to Redis. */
const mostValues = 4;

/** Under https both names hold the session, the protected one first; browsers refuse that one by plain http. */
const namesFor = (isHttps: boolean): readonly string[] =>
  isHttps ? [hostName, plainName] : [plainName];

/**
 * The values that may be a browser's session, in the order in which they are to be tried: what nobody else can have written comes first,
 * so that no cookie of another host signs a person out.
 */
export function sessionCookieValues(header: string | undefined): string[] {
  const values = [...cookieValues(header, hostName), ...cookieValues(header, plainName)];
  return [...new Set(values)].slice(0, mostValues);
}

/** The Set-Cookie headers that give a browser its session until `expiresAt` (Unix ms). */
export const sessionCookieHeaders = (
  value: string,
  expiresAt: number,
  isHttps: boolean,
): string[] =>
  namesFor(isHttps).map((name) => setCookieHeader(name, value, { isHttps, expiresAt }));

/** The Set-Cookie headers that take the session away from a browser. */
export const clearedSessionCookies = (isHttps: boolean): string[] =>
  namesFor(isHttps).map((name) => clearedCookieHeader(name, isHttps));
