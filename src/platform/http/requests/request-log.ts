import type { FastifyInstance, FastifyReply, FastifyRequest, onResponseHookHandler } from 'fastify';
import type { Logger } from 'pino';
import type { RequestMeter } from './request-meter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No log line for a request, and a silent `request.log`; failures are still logged. */
    quiet?: boolean;
  }
}

interface RouteNames {
  operationId?: string | undefined;
  /** The pattern, never the URL: parameters and queries can hold personal data. */
  route?: string | undefined;
}

/**
 * 503 is an answer that was chosen ("not configured", "come back later") or follows from a failure
 * that has an error line of its own, so its request is no error; other statuses from 500 are.
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
  const line = { ...names, method: request.method, status, ms, request_id: request.id };
  if (status === 503) logger.warn(line, 'request completed');
  else if (status >= 500) logger.error(line, 'request completed');
  else logger.info(line, 'request completed');
}

function createLineHook(
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
 * milliseconds and request id, and counts it in the meter. Gives back the hook for requests that no
 * route takes.
 *
 * Fastify itself is given no logger: with one it makes a child logger and two listeners for every
 * request, also on routes that log nothing, which costs a tenth of the rate of a small request.
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
    const after = route.onResponse ?? [];
    const line = createLineHook(logger, meter, {
      operationId: route.schema?.operationId,
      route: route.url,
    });
    route.onResponse = [...(Array.isArray(after) ? after : [after]), line];
  });
  return createLineHook(logger, meter, {});
}
