import type { FastifyRequest } from 'fastify';
import { hasScope } from '../../../platform/identity/identity.ts';

/** What a request says about who sent it. */
export interface RequestContext {
  /** When the request arrived, Unix ms. */
  receivedAt: number;
  ip: string;
  userAgent: string;
  acceptLanguage: string | undefined;
  /** Opt-outs of the visitor: `Sec-GPC: 1` and `DNT: 1`. */
  optOut: { gpc: boolean; dnt: boolean };
  /**
   * Sent with a credential that may write events (an API key, an admin's session): events may be of
   * any age, and name address, user agent and visitor themselves.
   */
  isTrusted: boolean;
  /** Milliseconds to add to timestamps of the client. */
  clockSkewMs: number;
}

/** The context of a request that arrived at `now` (Unix ms). */
export function requestContext(request: FastifyRequest, now: number): RequestContext {
  const { headers } = request;
  return {
    receivedAt: now,
    ip: request.ip,
    userAgent: headers['user-agent'] ?? '',
    acceptLanguage: headers['accept-language'],
    optOut: { gpc: headers['sec-gpc'] === '1', dnt: headers.dnt === '1' },
    clockSkewMs: 0,
    isTrusted: request.principal !== undefined && hasScope(request.principal, 'analytics:write'),
  };
}
