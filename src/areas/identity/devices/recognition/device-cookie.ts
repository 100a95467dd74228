import { dayMs } from '../../../../lib/durations.ts';
import {
  clearedCookieHeader,
  cookieValues,
  setCookieHeader,
} from '../../../../platform/http/cookies.ts';

const lifetimeSeconds = (90 * dayMs) / 1000;

/** The device cookie. Only this host can set a `__Host-` cookie, and only over HTTPS. */
export function deviceCookie(isHttps: boolean) {
  const name = isHttps ? '__Host-svc_device' : 'svc_device';
  return {
    /** Returns its value; undefined when the header has none or several. */
    read(header: string | undefined): string | undefined {
      const [value, ...others] = cookieValues(header, name);
      return others.length > 0 ? undefined : value;
    },

    /** Returns the Set-Cookie header for a value. */
    header: (value: string): string =>
      setCookieHeader(name, value, { isHttps, maxAgeSeconds: lifetimeSeconds }),

    /** The Set-Cookie header that deletes the cookie. */
    cleared: clearedCookieHeader(name, isHttps),
  };
}

export type DeviceCookie = ReturnType<typeof deviceCookie>;
