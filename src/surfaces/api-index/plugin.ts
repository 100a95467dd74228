import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { indexRoutes, type IndexRoutesOptions } from './routes.ts';

/** Registers the indexes of the API. They are public. */
export function registerIndexes(
  app: FastifyInstance,
  { scopes, ...options }: IndexRoutesOptions & { scopes: Scopes },
): void {
  scopes.public(app, (everybody) => {
    everybody.register(indexRoutes, options);
  });
}
