import type { FastifyRequest } from 'fastify';
import { hasScope } from '../../../lib/access.ts';

/** What a request says about its sender. */
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
   * any age, and may set address, user agent and visitor.
   */
  isTrusted: boolean;
  /** Milliseconds to add to client timestamps. */
  clockSkewMs: number;
}

/** Returns the context of a request that arrived at `now` (Unix ms). */
export const requestContext = (request: FastifyRequest, now: number): RequestContext =>
  contextOf(
    request,
    now,
    request.principal !== undefined && hasScope(request.principal, 'analytics:write'),
  );

/** The same for a request of which only this is known. */
export function contextOf(
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
  now: number,
  isTrusted: boolean,
): RequestContext {
  return {
    receivedAt: now,
    ip,
    userAgent: headers['user-agent'] ?? '',
    acceptLanguage: headers['accept-language'],
    optOut: { gpc: headers['sec-gpc'] === '1', dnt: headers.dnt === '1' },
    clockSkewMs: 0,
    isTrusted,
  };
}
