import { cookieValues, setCookieHeader, clearedCookieHeader } from '../../platform/http/cookies.ts';
import { dayMs } from '../../lib/durations.ts';

/** Browsers accept a `__Host-` cookie only from this host over HTTPS. */
const nameOf = (isHttps: boolean): string => (isHttps ? '__Host-svc_waitlist' : 'svc_waitlist');
const lifetimeSeconds = (90 * dayMs) / 1000;

/** The cookie that keeps the status token of the browser's own entry. */
export const statusCookie = (isHttps: boolean) => ({
  read: (header: string | undefined): string | undefined =>
    cookieValues(header, nameOf(isHttps))[0],
  set: (token: string): string =>
    setCookieHeader(nameOf(isHttps), token, { isHttps, maxAgeSeconds: lifetimeSeconds }),
  cleared: (): string => clearedCookieHeader(nameOf(isHttps), isHttps),
});
