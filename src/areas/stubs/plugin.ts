import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { type StubRoutesOptions, stubRoutes } from './routes.ts';

/** Placeholders for future areas. */
export function registerStubs(
  app: FastifyInstance,
  { scopes, ...options }: StubRoutesOptions & { scopes: Scopes },
): void {
  app.describeTag('stubs', 'Placeholders for future areas.');
  scopes.identified(app, (everybody) => {
    everybody.register(stubRoutes, options);
  });
}
