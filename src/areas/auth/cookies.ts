import type { FastifyReply } from 'fastify';

export const sessionCookie = 'svc_session';

/** The values that a Cookie header gives for one name: more than one is an attack or a mistake. */
export function cookieValues(header: string | undefined, name: string): string[] {
  if (header === undefined || !header.includes(name)) return [];
  return header.split(';').map((pair) => pair.trim()).filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

/** Attributes of every cookie of ours; `Secure` is left out only where the service is reached by plain http. */
function attributes(isHttps: boolean): string {
  return `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
}

/** Gives the browser a session until `expiresAt` (Unix ms). */
export function setSessionCookie(reply: FastifyReply, value: string, expiresAt: number, isHttps: boolean): void {
  void reply.header('set-cookie', `${sessionCookie}=${value}; ${attributes(isHttps)}; Expires=${new Date(expiresAt).toUTCString()}`);
}

/** The Set-Cookie header that takes the session away from a browser. */
export const clearedSessionCookie = (isHttps: boolean): string => `${sessionCookie}=; ${attributes(isHttps)}; Max-Age=0`;
