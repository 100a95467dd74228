import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';

export type StubMethod = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH' | 'OPTIONS';

/** The seven methods of the catch-all routes; HEAD comes with GET. */
export const everyMethod: readonly StubMethod[] = [
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'PATCH',
  'OPTIONS',
];

export interface Stub {
  path: string;
  methods: readonly StubMethod[];
  /** Operation ids are this and the method: `stubs.cmyk.get`. */
  operation: string;
  summary: string;
  description: string;
  response: ZodType;
  answer: (request: FastifyRequest, method: string) => unknown;
}

/** Registers the stub under each of its methods. A body is read by none of them. OPTIONS tells them in `Allow`, HEAD answers without a body. */
export function registerStub(app: FastifyInstance, stub: Stub): void {
  const allow = [...stub.methods, ...(stub.methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  for (const method of stub.methods) {
    app.route({
      method,
      url: stub.path,
      bodyLimit: 16 * 1024,
      schema: {
        operationId: `${stub.operation}.${method.toLowerCase()}`,
        summary: stub.summary,
        description: stub.description,
        tags: ['stubs'],
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
