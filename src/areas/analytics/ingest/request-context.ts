import type { FastifyRequest } from 'fastify';
import { hasScope } from '../../../platform/identity/identity.ts';
import type { RequestContext } from './admission/client-cache.ts';

/** What ingest needs to know of the request; `now` in Unix ms. */
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
