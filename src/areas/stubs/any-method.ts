import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';

/** Fastify adds HEAD to GET. */
const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'] as const;
const allow = [...methods, 'HEAD'].join(', ');

export interface Stub {
  path: string;
  /** Prefix of the operation ids: `stubs.cmyk` gives `stubs.cmyk.get`. */
  operation: string;
  summary: string;
  description: string;
  /** Describes the answer. */
  returns: string;
  response: ZodType;
  answer: (request: FastifyRequest, method: string) => unknown;
}

/** Registers a stub for every method. None reads the body; OPTIONS lists the methods in `Allow`. */
export function registerStub(app: FastifyInstance, stub: Stub): void {
  for (const method of methods) {
    app.route({
      method,
      url: stub.path,
      bodyLimit: 16 * 1024,
      schema: {
        operationId: `${stub.operation}.${method.toLowerCase()}`,
        summary: stub.summary,
        description: stub.description,
        tags: ['stubs'],
        returns: stub.returns,
        response: { 200: stub.response },
      },
      handler: async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        if (method === 'OPTIONS') void reply.header('allow', allow);
        return stub.answer(request, request.method);
      },
    });
  }
}
