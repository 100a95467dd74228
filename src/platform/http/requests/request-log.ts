import type { FastifyInstance, FastifyReply, FastifyRequest, onResponseHookHandler } from 'fastify';
import type { Logger } from 'pino';
import type { RequestMeter } from './request-meter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Writes no line for a request and silences `request.log`. Failures are still logged. */
    quiet?: boolean;
  }
}

interface RouteNames {
  operationId?: string | undefined;
  /** The route pattern, never the URL: parameters and queries can hold personal data. */
  route?: string | undefined;
}

/**
 * Writes the log line of a request. A 503 is intended ("not configured", "come back later") or
 * follows from a failure with its own error line, so it is a warning; other 5xx are errors.
 */
function writeLine(
  logger: Logger,
  names: RouteNames,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const status = reply.statusCode;
  if (status < 500 && !logger.isLevelEnabled('info')) return;
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  const { operationId, route } = names;
  // Named one by one: on Node 20, each property that follows a spread takes 2 to 4 µs.
  const line = { operationId, route, method: request.method, status, ms, request_id: request.id };
  if (status === 503) logger.warn(line, 'request completed');
  else if (status >= 500) logger.error(line, 'request completed');
  else logger.info(line, 'request completed');
}

function createLogHook(
  logger: Logger,
  meter: RequestMeter,
  names: RouteNames,
): onResponseHookHandler {
  return (request, reply, done) => {
    meter.note(reply.statusCode, reply.elapsedTime);
    writeLine(logger, names, request, reply);
    done();
  };
}

/**
 * Writes one line for each completed request, with operationId, method, route pattern, status,
 * milliseconds and request id, and counts it in the meter. Returns the hook for requests without a
 * route.
 *
 * Fastify gets no logger: with one it creates a child logger and two listeners for every request,
 * even on quiet routes, which reduces the throughput of small requests by a tenth.
 */
export function registerRequestLog(
  app: FastifyInstance,
  logger: Logger,
  meter: RequestMeter,
): onResponseHookHandler {
  app.log = logger;
  app.addHook('onRoute', (route) => {
    if (route.config?.quiet === true) return;
    route.childLoggerFactory = (_none, bindings) => logger.child(bindings);
    const existingHooks = route.onResponse ?? [];
    const logHook = createLogHook(logger, meter, {
      operationId: route.schema?.operationId,
      route: route.url,
    });
    route.onResponse = [
      ...(Array.isArray(existingHooks) ? existingHooks : [existingHooks]),
      logHook,
    ];
  });
  return createLogHook(logger, meter, {});
}
