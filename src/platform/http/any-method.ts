import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';

/** Fastify adds HEAD to GET. */
const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'] as const;
const allow = [...methods, 'HEAD'].join(', ');

export interface AnyMethodRoute {
  path: string;
  /** Prefix of the operation ids: `cmyk.index` gives `cmyk.index.get`. */
  operation: string;
  summary: string;
  description: string;
  tags: readonly string[];
  /** Describes the response. */
  returns: string;
  response: ZodType;
  answer: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

/**
 * Registers a route that answers all seven methods alike and changes nothing. It does not read the
 * body. OPTIONS lists the methods in `Allow`.
 */
export function registerAnyMethod(app: FastifyInstance, route: AnyMethodRoute): void {
  const { path, operation, summary, description, tags, returns, response, answer } = route;
  for (const method of methods) {
    app.route({
      method,
      url: path,
      bodyLimit: 16 * 1024,
      schema: {
        operationId: `${operation}.${method.toLowerCase()}`,
        summary,
        description,
        tags: [...tags],
        returns,
        response: { 200: response },
      },
      handler: async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        if (method === 'OPTIONS') void reply.header('allow', allow);
        return answer(request, reply);
      },
    });
  }
}
