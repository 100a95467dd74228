import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { developerRoutes, type DeveloperRoutesOptions } from './routes.ts';

/** Registers the guides and the API reference. They are public. */
export function registerDeveloper(
  app: FastifyInstance,
  { scopes, ...options }: DeveloperRoutesOptions & { scopes: Scopes },
): void {
  scopes.public(app, (everybody) => {
    everybody.register(developerRoutes, options);
  });
}
