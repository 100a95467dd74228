import { cookieAttributes } from '../../lib/cookie-header.ts';

export const sessionCookie = 'svc_session';

/** The Set-Cookie header that gives a browser its session until `expiresAt` (Unix ms). */
export const sessionCookieHeader = (value: string, expiresAt: number, isHttps: boolean): string =>
  `${sessionCookie}=${value}; ${cookieAttributes(isHttps)}; Expires=${new Date(expiresAt).toUTCString()}`;

/** The Set-Cookie header that takes the session away from a browser. */
export const clearedSessionCookie = (isHttps: boolean): string => `${sessionCookie}=; ${cookieAttributes(isHttps)}; Max-Age=0`;
