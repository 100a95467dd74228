import fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ApiKeyScope } from '../../lib/access.ts';
import { createRequestIds } from '../../lib/ids.ts';
import type { Principal } from '../identity/identity.ts';
import { hasScope } from '../../lib/access.ts';
import { registerByteRateLimit } from './limits/byte-rate-limit.ts';
import { nameContentType, registerBodyParsers } from './body-parsers.ts';
import { refuseCodedBodies } from './requests/content-coding.ts';
import { allowApp } from './cross-origin.ts';
import { limitConnections } from './connections/connection-limit.ts';
import { registerErrorHandler, sendError } from './error-handler.ts';
import { registerErrorResponses } from './error-schemas.ts';
import { registerHeaderValues } from './header-values.ts';
import { requestErrors } from '../errors/errors.ts';
import { createConcurrencyLimit } from './connections/concurrency-limit.ts';
import { readForwardedAddresses } from './connections/forwarded-for.ts';
import { enableLingeringClose } from './connections/unread-body.ts';
import { createUnroutedHandler } from './method-not-allowed.ts';
import { namePlugins } from './plugin-names.ts';
import { registerRequestLog } from './requests/request-log.ts';
import { createRequestMeter, type RequestMeter } from './requests/request-meter.ts';
import { registerRouteTable } from './scopes.ts';
import { registerSecurityHeaders, writeResponseHeaders } from './security.ts';
import { registerSerialization } from '../validation/serialization.ts';
import { registerValidation } from '../validation/validation.ts';
import {
  createClientErrorHandler,
  refuseAmbiguous,
  keepAllHeaders,
} from './connections/malformed-requests.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the requests of the last minute, except those of quiet routes. */
    requestMeter: RequestMeter;
    /** True when the principal gets the higher body limits of bulk writers. */
    mayWriteInBulk: (principal: Principal | undefined) => boolean;
  }
  interface FastifyContextConfig {
    /** Answered even while the service closes. For probes, which have a second listener. */
    whileClosing?: boolean;
    /**
     * A long-lived response with its own limit, exempt from the concurrency limit of its address.
     */
    longLived?: boolean;
    /** Takes milliseconds to compute, so only a few run concurrently for one address. */
    costly?: boolean;
  }
}

export interface HttpOptions {
  config: Config;
  logger: Logger;
  clock: Clock;
  /** The scope that allows larger bodies. Default: none does. */
  bulkScope?: ApiKeyScope;
}

/** Maximum size of a request body, in bytes, unless a route sets its own. */
export const defaultBodyLimit = 64 * 1024;

/** Timeouts of clients, in milliseconds, so that slow clients cannot occupy connections. */
const timeouts = {
  headers: 10_000,
  request: 30_000,
  idleSocket: 120_000,
  keepAlive: 65_000,
  checkEvery: 5_000,
};

const requestIdPattern = /^[A-Za-z0-9._-]{8,128}$/;

function createIdSource(): (request: IncomingMessage) => string {
  const next = createRequestIds();
  return (request) => {
    const given = request.headers['x-request-id'];
    return typeof given === 'string' && requestIdPattern.test(given) ? given : next();
  };
}

function trustedProxies(config: Config): string[] | false {
  const proxies = config.TRUST_PROXY.split(',')
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== '');
  return proxies.length === 0 ? false : proxies;
}

/**
 * Registers the first hook of every request. It is a single hook because each hook costs every
 * request time. It sets the response's headers, refuses requests while the service closes (some
 * still arrive over keep-alive connections), applies the concurrency limit of the address, and
 * answers requests without a route.
 */
function registerFirstHook(
  app: FastifyInstance,
  unrouted: ReturnType<typeof createUnroutedHandler>,
  config: Config,
): void {
  let isClosing = false;
  const isBehindProxies = trustedProxies(config) !== false;
  const admit = config.RATE_LIMIT ? createConcurrencyLimit() : undefined;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    writeResponseHeaders(request, reply);
    refuseAmbiguous(request);
    if (isBehindProxies) readForwardedAddresses(request.raw);
    nameContentType(request.raw);
    allowApp(request, reply);
    const proceed = (refusal?: Error): void => {
      if (refusal !== undefined || !request.is404) {
        done(refusal);
        return;
      }
      try {
        unrouted(request, reply);
      } catch (error) {
        done(error instanceof Error ? error : requestErrors.not_found());
      }
    };
    if (isClosing && request.routeOptions.config.whileClosing !== true)
      done(
        requestErrors.unavailable({
          detail: 'The service is shutting down. Try again in a moment.',
        }),
      );
    else if (admit === undefined) proceed();
    else admit(request, reply, proceed);
  });
}

/** Zod validates and serialises. Without these, Fastify would load its own compilers. */
const unusedCompilers = { buildValidator: () => neverCalled, buildSerializer: () => neverCalled };

function neverCalled(): never {
  throw new Error('zod validates and serialises');
}

function createInstance(config: Config): FastifyInstance {
  const nextId = createIdSource();
  return fastify({
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    genReqId: nextId,
    requestIdHeader: false,
    trustProxy: trustedProxies(config),
    bodyLimit: defaultBodyLimit,
    requestTimeout: timeouts.request,
    connectionTimeout: timeouts.idleSocket,
    keepAliveTimeout: timeouts.keepAlive,
    // The first hook refuses a missing Host with a problem document.
    http: {
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.checkEvery,
    },
    // The first hook answers with a problem document; Fastify's response has a fixed body.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    schemaController: { compilersFactory: unusedCompilers },
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    clientErrorHandler: createClientErrorHandler(createRequestIds()),
    frameworkErrors: (error, request, reply) => {
      writeResponseHeaders(request, reply);
      void sendError(error, request, reply);
    },
  });
}

/**
 * Creates the bare HTTP platform: a Fastify instance on which zod schemas validate every route,
 * every error is a problem document or FastAPI's HTTPValidationError, every response has the
 * security headers and `x-request-id`, and every route must be in a named scope. The caller adds
 * the API reference, rate limits and scopes, and listens.
 */
export function createFastify({ config, logger, clock, bulkScope }: HttpOptions): FastifyInstance {
  const app = createInstance(config);
  namePlugins(app);
  keepAllHeaders(app.server);
  enableLingeringClose(app.server);
  if (config.RATE_LIMIT) limitConnections(app.server, trustedProxies(config) || []);
  app.decorate('requestMeter', createRequestMeter({ clock }));
  app.decorate(
    'mayWriteInBulk',
    (principal) => bulkScope !== undefined && hasScope(principal, bulkScope),
  );
  const logLine = registerRequestLog(app, logger, app.requestMeter);
  registerSecurityHeaders(app, config);
  app.decorate('appOrigins', new Set(config.APP_ORIGINS));
  registerFirstHook(app, createUnroutedHandler(app, logLine), config);
  registerHeaderValues(app);
  registerByteRateLimit(app, { clock, enabled: config.RATE_LIMIT });
  refuseCodedBodies(app);
  registerBodyParsers(app);
  registerErrorHandler(app);
  registerRouteTable(app);
  registerErrorResponses(app);
  registerValidation(app);
  registerSerialization(app);
  return app;
}
