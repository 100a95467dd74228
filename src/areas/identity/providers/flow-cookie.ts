import type { IncomingHttpHeaders } from 'node:http';
import { cookieValues, setCookieHeader } from '../../../platform/http/cookies.ts';
import { flowLifetimeMs } from './flow.ts';

const secretPattern = /^[\w-]{43}$/;

/**
 * The cookie that binds a flow to its browser. Over https only this host can set a `__Host-`
 * cookie.
 */
export function flowCookie(baseOrigin: string) {
  const isHttps = baseOrigin.startsWith('https:');
  const name = isHttps ? '__Host-svc_oauth' : 'svc_oauth';
  return {
    read({ headers }: { headers: IncomingHttpHeaders }): string | undefined {
      const [value, ...others] = cookieValues(headers.cookie, name);
      return others.length === 0 && value !== undefined && secretPattern.test(value)
        ? value
        : undefined;
    },
    /** The Set-Cookie header. */
    header: (value: string): string =>
      setCookieHeader(name, value, { isHttps, maxAgeSeconds: flowLifetimeMs / 1000 }),
  };
}
