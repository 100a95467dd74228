import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify';
import { changeResponseHeaders } from './security.ts';
import { varyOn } from './vary.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Origins of the single-page apps that may call with tokens (`APP_ORIGINS`). */
    appOrigins: ReadonlySet<string>;
  }
  interface FastifyContextConfig {
    /**
     * The origins that may call this route without cookies: any, those of the apps, or those in
     * `listedOrigins`.
     */
    crossOrigin?: 'any' | 'apps' | 'listed';
    listedOrigins?: ReadonlySet<string>;
    /** The origins of other websites whose pages may send the form of this route. */
    formOrigins?: ReadonlySet<string>;
  }
}

const maxAge = '86400';
const allowedHeaders = {
  any: 'content-type, content-encoding, authorization',
  apps: 'authorization, content-type, device-token, dpop, idempotency-key',
  listed: 'content-type, idempotency-key',
};
const exposedHeaders =
  'dpop-nonce, idempotency-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset, ' +
  'retry-after, www-authenticate, x-request-id';

/**
 * Allows pages of any origin to call the routes of this scope, without cookies or other
 * credentials. Call it before adding the routes. It removes headers that matter only for documents,
 * because these routes answer thousands of requests a second.
 */
export function allowCrossOrigin(scope: FastifyInstance): void {
  changeResponseHeaders(scope, {
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

const isListed = (
  { headers: { origin } }: FastifyRequest,
  { listedOrigins }: FastifyContextConfig = {},
): boolean => origin !== undefined && listedOrigins?.has(origin) === true;

/**
 * Allows pages of these origins to send JSON to the routes of this scope, without cookies or other
 * credentials. Call it before adding the routes.
 */
export function allowOrigins(scope: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const listedOrigins = new Set(origins);
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, crossOrigin: 'listed', listedOrigins };
  });
}

/**
 * Allows pages of these origins to send the forms of this scope, besides our own pages. Call it
 * before adding the routes.
 */
export function allowFormsFrom(scope: FastifyInstance, origins: readonly string[]): void {
  const formOrigins = new Set(origins);
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, formOrigins };
  });
}

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

/** Adds the CORS headers for an app or a listed origin to the response, even if it is an error. */
export function allowApp(request: FastifyRequest, reply: FastifyReply): void {
  const { config } = request.routeOptions;
  if (config.crossOrigin !== 'apps' && config.crossOrigin !== 'listed') return;
  varyOn(reply, 'origin');
  if (!(config.crossOrigin === 'apps' ? isApp(request) : isListed(request, config))) return;
  reply.headers({
    'access-control-allow-origin': request.headers.origin,
    'access-control-expose-headers': exposedHeaders,
  });
  delete request.headers.cookie;
}

const crossOriginKinds = ['any', 'apps', 'listed'] as const;

/** Adds the headers of a preflight response (Fetch standard §3.2.2) that its routes allow. */
export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  routes: readonly Pick<RouteOptions, 'method' | 'config'>[],
): void {
  const kind = crossOriginKinds.find((each) =>
    routes.some(({ config }) => config?.crossOrigin === each),
  );
  if (kind === undefined) return;
  const open = routes.filter(({ config }) => config?.crossOrigin === kind);
  if (kind !== 'any') varyOn(reply, 'origin');
  if (kind === 'apps' && !isApp(request)) return;
  if (kind === 'listed' && !isListed(request, open[0]?.config)) return;
  reply.headers({
    'access-control-allow-origin': kind === 'any' ? '*' : request.headers.origin,
    'access-control-allow-methods': [
      ...new Set(open.flatMap(({ method }) => method)),
      'OPTIONS',
    ].join(', '),
    'access-control-allow-headers': allowedHeaders[kind],
    'access-control-max-age': maxAge,
  });
}
