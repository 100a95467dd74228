import { dayMs } from '../../../lib/durations.ts';
import {
  clearedCookieHeader,
  cookieValues,
  setCookieHeader,
} from '../../../platform/http/cookies.ts';

const lifetimeSeconds = (90 * dayMs) / 1000;

/** The device cookie. Only this host, over https, can set a `__Host-` cookie. */
export function deviceCookie(isHttps: boolean) {
  const name = isHttps ? '__Host-svc_device' : 'svc_device';
  return {
    /** Its value; undefined when there is none, or several. */
    read(header: string | undefined): string | undefined {
      const [value, ...others] = cookieValues(header, name);
      return others.length > 0 ? undefined : value;
    },

    /** The Set-Cookie header that gives a browser its device secret. */
    header: (value: string): string =>
      setCookieHeader(name, value, { isHttps, maxAgeSeconds: lifetimeSeconds }),

    /** The one that takes it away. */
    cleared: clearedCookieHeader(name, isHttps),
  };
}

export type DeviceCookie = ReturnType<typeof deviceCookie>;
