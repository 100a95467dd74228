import { fastifyCookie } from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';

/**
 * Loads the cookie plugin: the functions below work once this has resolved. The plugin is
 * registered in a scope without routes, because its hooks would run for every request, including
 * events, and nothing here needs them: handlers read cookies on demand and build Set-Cookie headers
 * themselves.
 */
export async function loadCookies(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(fastifyCookie, { hook: false });
  });
}

/** No percent-decoding: a token has exactly one spelling, so `%41` is not `A`. */
const undecoded = { decode: (value: string): string => value };

/**
 * Returns all values of a cookie in a Cookie header. More than one means an attack or a mistake.
 */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (!header?.includes(name)) return [];
  // Each pair is parsed separately, because the parser keeps only the first of several cookies with
  // one name. It also accepts `name =`.
  return header
    .split(';')
    .filter((pair) => pair.includes(`${name}=`))
    .flatMap((pair) => fastifyCookie.parse(pair, undecoded)[name] ?? []);
}

export interface CookieOptions {
  /** Sets `Secure`. False only when the service is served over plain HTTP. */
  isHttps: boolean;
  /** Unix ms. Without this and `maxAgeSeconds`, the cookie ends with the browser's session. */
  expiresAt?: number;
  maxAgeSeconds?: number;
  /** Default: `/`. */
  path?: string;
}

/**
 * Returns the value of an HttpOnly Set-Cookie header. Throws a TypeError for a bad name or path.
 */
export function setCookieHeader(
  name: string,
  value: string,
  { isHttps, expiresAt, maxAgeSeconds, path = '/' }: CookieOptions,
): string {
  return fastifyCookie.serialize(name, value, {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps,
    ...(expiresAt === undefined ? {} : { expires: new Date(expiresAt) }),
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
  });
}

/** Returns the Set-Cookie header that deletes a cookie. */
export const clearedCookieHeader = (name: string, isHttps: boolean): string =>
  setCookieHeader(name, '', { isHttps, maxAgeSeconds: 0 });
