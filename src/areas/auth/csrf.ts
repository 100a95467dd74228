import type { IncomingHttpHeaders } from 'node:http';
import { authErrors } from './errors.ts';

interface Sent {
  method: string;
  headers: IncomingHttpHeaders;
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True when the browser says that the request comes from a page of this origin, or from no page at all. */
function isSameOrigin(request: Sent, baseOrigin: string): boolean {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  // A page of another site can't choose the Host: the browser takes it from the address.
  if (origin !== undefined) return origin === baseOrigin || origin === `http://${host}` || origin === `https://${host}`;
  return site === 'same-origin' || site === 'none';
}

/** Refuses what a page of another site could have sent with the person's cookie. Throws `auth.csrf_origin`. */
export function refuseCrossSite(request: Sent, baseOrigin: string): void {
  if (safe.has(request.method) || isSameOrigin(request, baseOrigin)) return;
  throw authErrors.csrf_origin();
}
