import fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ApiKeyScope } from '../../lib/access.ts';
import { createRequestIds } from '../../lib/ids.ts';
import { hasScope, type Principal } from '../identity/identity.ts';
import { registerByteRateLimit } from './limits/byte-rate-limit.ts';
import { nameContentType, registerBodyParsers } from './body-parsers.ts';
import { admitApp } from './cross-origin.ts';
import { limitConnections } from './connections/connection-limit.ts';
import { registerErrorHandler, sendError } from './error-handler.ts';
import { registerErrorResponses } from './error-schemas.ts';
import { requestErrors } from '../errors/errors.ts';
import { createConcurrencyLimit } from './connections/concurrency-limit.ts';
import { readForwardedAddresses } from './connections/forwarded-for.ts';
import { createUnrouted } from './method-not-allowed.ts';
import { registerRequestLog } from './requests/request-log.ts';
import { createRequestMeter, type RequestMeter } from './requests/request-meter.ts';
import { registerRouteTable } from './scopes.ts';
import { registerSecurityHeaders, writeAnswerHeaders } from './security.ts';
import { registerSerialization } from '../validation/serialization.ts';
import { registerValidation } from '../validation/validation.ts';
import {
  createClientErrorHandler,
  refuseAmbiguous,
  keepAllHeaders,
} from './connections/malformed-requests.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Requests of the last minute, without those of quiet routes. */
    requestMeter: RequestMeter;
    /** Whether the limits on the size of bodies are those of programs that write in bulk. */
    mayWriteInBulk: (principal: Principal | undefined) => boolean;
  }
  interface FastifyContextConfig {
    /** Answered to the very end: probes, whose second listener outlives the first. */
    whileClosing?: boolean;
    /** Lasts as long as its client likes, with its own limit: not counted for its address. */
    longLived?: boolean;
    /** Takes milliseconds to answer: only few run at a time for one address. */
    costly?: boolean;
  }
}

export interface HttpOptions {
  config: Config;
  logger: Logger;
  clock: Clock;
  /** Who holds it may send larger bodies. Unset: nobody. */
  bulkScope?: ApiKeyScope;
}

/** Bytes a request body may have where a route says nothing else. */
export const defaultBodyLimit = 64 * 1024;

/** Milliseconds that a client may take, so that slow ones cannot hold connections for nothing. */
const timeouts = {
  headers: 10_000,
  request: 30_000,
  idleSocket: 120_000,
  keepAlive: 65_000,
  checkEvery: 5_000,
};

const acceptableId = /^[A-Za-z0-9._-]{8,128}$/;

function createIdSource(): (request: IncomingMessage) => string {
  const next = createRequestIds();
  return (request) => {
    const given = request.headers['x-request-id'];
    return typeof given === 'string' && acceptableId.test(given) ? given : next();
  };
}

function trustedProxies(config: Config): string[] | false {
  const proxies = config.TRUST_PROXY.split(',')
    .map((proxy) => proxy.trim())
    .filter((proxy) => proxy !== '');
  return proxies.length === 0 ? false : proxies;
}

/**
 * What every request meets first, in one hook because hooks are paid for by each request: the
 * headers of its answer, a refusal while the service closes (connections that are kept alive still
 * bring requests), its turn among the requests of its address, and what has no route.
 */
function registerEntrance(
  app: FastifyInstance,
  unrouted: ReturnType<typeof createUnrouted>,
  config: Config,
): void {
  let closing = false;
  const isBehindProxies = trustedProxies(config) !== false;
  const letIn = config.RATE_LIMIT ? createConcurrencyLimit() : undefined;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    writeAnswerHeaders(request, reply);
    refuseAmbiguous(request);
    if (isBehindProxies) readForwardedAddresses(request.raw);
    nameContentType(request.raw);
    admitApp(request, reply);
    const enter = (error?: Error): void => {
      if (error !== undefined || !request.is404) {
        done(error);
        return;
      }
      try {
        unrouted(request, reply);
      } catch (refusal) {
        done(refusal instanceof Error ? refusal : requestErrors.not_found());
      }
    };
    if (closing && request.routeOptions.config.whileClosing !== true)
      done(requestErrors.unavailable({ detail: 'The service is shutting down.' }));
    else if (letIn === undefined) enter();
    else letIn(request, reply, enter);
  });
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
    // A missing Host is refused by the entrance, with a problem document.
    http: {
      requireHostHeader: false,
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.checkEvery,
    },
    // Ours answers with a problem document; Fastify's has a fixed body.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    clientErrorHandler: createClientErrorHandler(createRequestIds()),
    frameworkErrors: (error, request, reply) => {
      writeAnswerHeaders(request, reply);
      void sendError(error, request, reply);
    },
  });
}

/**
 * The bare HTTP platform: a Fastify instance on which every route is checked by its zod schemas,
 * every error is a problem document or FastAPI's HTTPValidationError, every answer carries the
 * security headers and `x-request-id`, and every route must lie in a named scope. The caller adds
 * the API reference, rate limits, scopes and listens.
 */
export function createFastify({ config, logger, clock, bulkScope }: HttpOptions): FastifyInstance {
  const app = createInstance(config);
  keepAllHeaders(app.server);
  if (config.RATE_LIMIT) limitConnections(app.server, trustedProxies(config) || []);
  app.decorate('requestMeter', createRequestMeter({ clock }));
  app.decorate(
    'mayWriteInBulk',
    (principal) => bulkScope !== undefined && hasScope(principal, bulkScope),
  );
  const logLine = registerRequestLog(app, logger, app.requestMeter);
  registerSecurityHeaders(app, config);
  app.decorate('appOrigins', new Set(config.APP_ORIGINS));
  registerEntrance(app, createUnrouted(app, logLine), config);
  registerByteRateLimit(app, { clock, enabled: config.RATE_LIMIT });
  registerBodyParsers(app);
  registerErrorHandler(app);
  registerRouteTable(app);
  registerErrorResponses(app);
  registerValidation(app);
  registerSerialization(app);
  return app;
}
