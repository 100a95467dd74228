import type { IncomingHttpHeaders } from 'node:http';
import { isLoopbackHost } from '../../../platform/http/requests/local-request.ts';
import { authErrors } from './errors.ts';

interface IncomingRequest {
  method: string;
  headers: IncomingHttpHeaders;
  /** `https` if the connection uses TLS, or a trusted proxy reports that its client's does. */
  protocol: string;
}

export interface OwnOrigin {
  /** The public origin of the service. */
  baseOrigin: string;
  /**
   * Whether BASE_URL is configured. If not, the origin is a guess and implies nothing about TLS.
   */
  isBaseKnown: boolean;
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The schemes our pages may use: a page tampered with over http must not reach https. */
function schemesOf(
  { protocol, headers }: IncomingRequest,
  { baseOrigin, isBaseKnown }: OwnOrigin,
): readonly string[] {
  if (protocol === 'https') return ['https:'];
  if (!isBaseKnown) return ['http:', 'https:'];
  const { protocol: known } = new URL(baseOrigin);
  // On loopback http is as trustworthy as https (W3C Secure Contexts §3.1).
  return known === 'https:' && isLoopbackHost(headers.host) ? ['https:', 'http:'] : [known];
}

/** True when the browser reports that a page of this origin sent the request, or no page at all. */
export function isSameOrigin(request: IncomingRequest, own: OwnOrigin): boolean {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin === undefined) return site === 'same-origin' || site === 'none';
  const schemes = schemesOf(request, own);
  if (origin === own.baseOrigin) return schemes.some((scheme) => origin.startsWith(scheme));
  // A page of another site can't choose the Host header: the browser takes it from the URL.
  return schemes.some((scheme) => origin === `${scheme}//${host}`);
}

const crossSite = (detail?: string) =>
  authErrors.csrf_origin({
    ...(detail === undefined ? {} : { detail }),
    pageText:
      'This form was sent from another site, or your browser doesn’t say where it came from. ' +
      'Nothing was changed. Open the form on this site and try again.',
  });

/** A page of another site can send JSON only after a preflight, which these routes refuse. */
const isJson = (type: string | undefined): boolean =>
  /^application\/(?:[\w.-]+\+)?json\b/i.test(type ?? '');

/**
 * Throws `auth.csrf_origin` for a form that a page of another site sent, unless its origin is
 * `listed`. Programs, which name no page, may send: these routes act for nobody's session.
 */
export function refuseForeignForm(
  request: IncomingRequest,
  own: OwnOrigin,
  listed: ReadonlySet<string> = new Set(),
): void {
  if (safeMethods.has(request.method)) return;
  const { origin, 'sec-fetch-site': site, 'content-type': type } = request.headers;
  if ((origin === undefined && site === undefined) || isJson(type)) return;
  if (isSameOrigin(request, own) || (origin !== undefined && listed.has(origin))) return;
  throw crossSite(
    'This form was sent from a page of another site. Send it from a page of this site, or as ' +
      'JSON from a program.',
  );
}

/**
 * Throws `auth.csrf_origin` for a change that a page of another site may have sent with the user's
 * cookie.
 */
export function refuseCrossSite(request: IncomingRequest, own: OwnOrigin): void {
  if (safeMethods.has(request.method) || isSameOrigin(request, own)) return;
  throw crossSite();
}
