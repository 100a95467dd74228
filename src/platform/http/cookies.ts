import { fastifyCookie } from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';

/**
 * Loads what reads and writes cookies: the functions below work once this has resolved. The plugin
 * is registered in a scope without routes, because its hooks would run for every request, events
 * included, and nothing here needs them: cookies are read where they count, and every Set-Cookie
 * header is made before it is known which answer carries it.
 */
export async function loadCookies(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(fastifyCookie, { hook: false });
  });
}

/** Tokens have one spelling: `%41` is not read as `A`. */
const asSent = { decode: (value: string): string => value };

/** The values that a Cookie header gives for one name: more than one is an attack or a mistake. */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (!header?.includes(name)) return [];
  // Pair by pair, because of several cookies with one name the parser keeps only the first. It also
  // takes `name =` for `name=`.
  return header
    .split(';')
    .filter((pair) => pair.includes(`${name}=`))
    .flatMap((pair) => fastifyCookie.parse(pair, asSent)[name] ?? []);
}

export interface CookieOptions {
  /** `Secure` is left out only where the service is reached by plain http. */
  isHttps: boolean;
  /** Unix ms. Without it and without `maxAgeSeconds` the cookie ends with the browser's session. */
  expiresAt?: number;
  maxAgeSeconds?: number;
  /** Default: the whole host. */
  path?: string;
}

/** A Set-Cookie header, never readable by scripts. Throws a TypeError for a bad name or path. */
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

/** The Set-Cookie header that takes a cookie of ours away. */
export const clearedCookieHeader = (name: string, isHttps: boolean): string =>
  setCookieHeader(name, '', { isHttps, maxAgeSeconds: 0 });
