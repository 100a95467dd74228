import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { answerWith } from './security.ts';
import { varyOn } from './vary.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Origins of single-page apps that may call with tokens (`APP_ORIGINS`). */
    appOrigins: ReadonlySet<string>;
  }
  interface FastifyContextConfig {
    /** Which origins may call this route without cookies: any, or those of the apps. */
    crossOrigin?: 'any' | 'apps';
  }
}

const maxAge = '86400';
const asked = {
  any: 'content-type, content-encoding, authorization',
  apps: 'authorization, content-type, device-token, dpop',
};
const shown =
  'dpop-nonce, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, ' +
  'www-authenticate, x-request-id';

/**
 * Lets pages of any origin call the routes of this scope, without cookies or other credentials.
 * Call it before them. The headers that only mean something to a document go, for these are the
 * routes that answer thousands a second.
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
 * Lets pages of the apps call the routes of this scope with tokens, and never with cookies: those
 * that a browser sends along are not looked at, and none is set. Call it before the routes.
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

/** Adds the CORS headers for an app to the answer, whatever it will be. */
export function admitApp(request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.crossOrigin !== 'apps') return;
  varyOn(reply, 'origin');
  if (!isApp(request)) return;
  reply.headers({
    'access-control-allow-origin': request.headers.origin,
    'access-control-expose-headers': shown,
  });
  delete request.headers.cookie;
}

/** Answers a preflight (Fetch standard §3.2.2) as far as this path's routes allow. */
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
    'access-control-allow-headers': asked[kind],
    'access-control-max-age': maxAge,
  });
}
