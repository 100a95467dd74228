import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import { componentsRoutes, type ComponentsRoutesOptions } from './routes.components.ts';

/** The page of all components, in development on this machine. */
export function registerComponents(
  app: FastifyInstance,
  { scopes, layout, development }: ComponentsRoutesOptions & { scopes: Scopes },
): void {
  scopes.public(app, (everybody) => {
    everybody.register(componentsRoutes, { layout, development });
  });
}
