import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { answerWith } from './security.ts';
import { varyOn } from './vary.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Origins of the single-page apps that may call with tokens (`APP_ORIGINS`). */
    appOrigins: ReadonlySet<string>;
  }
  interface FastifyContextConfig {
    /** The origins that may call this route without cookies: any, or those of the apps. */
    crossOrigin?: 'any' | 'apps';
  }
}

const maxAge = '86400';
const allowedHeaders = {
  any: 'content-type, content-encoding, authorization',
  apps: 'authorization, content-type, device-token, dpop',
};
const exposedHeaders =
  'dpop-nonce, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, ' +
  'www-authenticate, x-request-id';

/**
 * Allows pages of any origin to call the routes of this scope, without cookies or other
 * credentials. Call it before adding the routes. It removes headers that matter only for documents,
 * because these routes answer thousands of requests a second.
 */
export function allowCrossOrigin(scope: FastifyInstance): void {
  answerWith(scope, {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-opener-policy': undefined,
    'permissions-policy': undefined,
    'referrer-policy': undefined,
    'content-security-policy': "default-src 'none'",
  });
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, crossOrigin: 'any' };
  });
}

const isApp = ({ headers: { origin }, server }: FastifyRequest): boolean =>
  origin !== undefined && server.appOrigins.has(origin);

/**
 * Allows pages of the apps to call the routes of this scope with tokens, never with cookies:
 * cookies that a browser sends are ignored, and none is set. Call it before adding the routes.
 */
export function allowApps(scope: FastifyInstance): void {
  if (scope.appOrigins.size === 0) return;
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, crossOrigin: 'apps' };
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (request, reply, _payload, done) => {
        if (isApp(request)) reply.removeHeader('set-cookie');
        done();
      },
    ];
  });
}

/** Adds the CORS headers for an app to the answer, even if it will be an error. */
export function admitApp(request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.crossOrigin !== 'apps') return;
  varyOn(reply, 'origin');
  if (!isApp(request)) return;
  reply.headers({
    'access-control-allow-origin': request.headers.origin,
    'access-control-expose-headers': exposedHeaders,
  });
  delete request.headers.cookie;
}

/** Adds the headers of a preflight answer (Fetch standard §3.2.2) that this path's routes allow. */
export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  routes: readonly Pick<RouteOptions, 'method' | 'config'>[],
): void {
  const methodsOf = (kind: 'any' | 'apps') =>
    [
      ...new Set(
        routes.filter(({ config }) => config?.crossOrigin === kind).flatMap(({ method }) => method),
      ),
      'OPTIONS',
    ].join(', ');
  const kind = (['any', 'apps'] as const).find((each) =>
    routes.some(({ config }) => config?.crossOrigin === each),
  );
  if (kind === 'apps') varyOn(reply, 'origin');
  if (kind === undefined || (kind === 'apps' && !isApp(request))) return;
  reply.headers({
    'access-control-allow-origin': kind === 'any' ? '*' : request.headers.origin,
    'access-control-allow-methods': methodsOf(kind),
    'access-control-allow-headers': allowedHeaders[kind],
    'access-control-max-age': maxAge,
  });
}
