import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '../../platform/http/local-request.ts';
import { authErrors } from './errors.ts';

interface Sent {
  method: string;
  headers: IncomingHttpHeaders;
  /** `https` when the connection is, or when a trusted proxy says that its own is. */
  protocol: string;
}

export interface OwnOrigin {
  /** The public origin of the service. */
  baseOrigin: string;
  /** Whether it was configured; else it is a guess, and says nothing about TLS. */
  isBaseKnown: boolean;
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The schemes that a page of ours may have: whoever can write into http must not reach what is on https. */
function schemesOf(
  { protocol, headers }: Sent,
  { baseOrigin, isBaseKnown }: OwnOrigin,
): readonly string[] {
  if (protocol === 'https') return ['https:'];
  if (!isBaseKnown) return ['http:', 'https:'];
  const { protocol: known } = new URL(baseOrigin);
  // Nobody stands between a browser and its own machine, so that http is as good as https there (W3C Secure Contexts §3.1).
  return known === 'https:' && isLoopbackHost(headers.host) ? ['https:', 'http:'] : [known];
}

/** True when the browser says that the request comes from a page of this origin, or from no page at all. */
export function isSameOrigin(request: Sent, own: OwnOrigin): boolean {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin === undefined) return site === 'same-origin' || site === 'none';
  const schemes = schemesOf(request, own);
  if (origin === own.baseOrigin) return schemes.some((scheme) => origin.startsWith(scheme));
  // A page of another site can't choose the Host: the browser takes it from the address.
  return schemes.some((scheme) => origin === `${scheme}//${host}`);
}

/** Refuses what a page of another site could have sent with the person's cookie. Throws `auth.csrf_origin`. */
export function refuseCrossSite(request: Sent, own: OwnOrigin): void {
  if (safe.has(request.method) || isSameOrigin(request, own)) return;
  throw authErrors.csrf_origin();
}
