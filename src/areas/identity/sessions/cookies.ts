import {
  clearedCookieHeader,
  cookieValues,
  setCookieHeader,
} from '../../../platform/http/cookies.ts';

/** The documented name. Any host of the same domain can set it, and so can plain http. */
const plainName = 'svc_session';
/** Browsers accept a `__Host-` cookie only from this host, over https. */
const hostName = '__Host-svc_session';
/** Each value that looks like a session costs a Redis read. */
const maxValues = 4;

/** Over https both cookies are set, the protected one first; plain http can only set the other. */
const namesFor = (isHttps: boolean): readonly string[] =>
  isHttps ? [hostName, plainName] : [plainName];

/**
 * Candidate session cookies in the order to try them. The one that only this host can have set
 * comes first, so that another host's cookie can't sign a user out.
 */
export function sessionCookieValues(header: string | undefined): string[] {
  const values = [...cookieValues(header, hostName), ...cookieValues(header, plainName)];
  return [...new Set(values)].slice(0, maxValues);
}

/** The Set-Cookie headers of a session that lasts until `expiresAt` (Unix ms). */
export const sessionCookieHeaders = (
  value: string,
  expiresAt: number,
  isHttps: boolean,
): string[] =>
  namesFor(isHttps).map((name) => setCookieHeader(name, value, { isHttps, expiresAt }));

/** The Set-Cookie headers that remove the session from a browser. */
export const clearedSessionCookies = (isHttps: boolean): string[] =>
  namesFor(isHttps).map((name) => clearedCookieHeader(name, isHttps));
