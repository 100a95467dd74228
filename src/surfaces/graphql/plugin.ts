import type { FastifyInstance } from 'fastify';
import { graphqlRoutes } from './http/routes.ts';
import { createGraphiqlPage, graphqlPageRoutes } from './pages/routes.pages.ts';
import type { RouteContext } from './route-context.ts';

/** Registers GraphQL, GraphiQL and the schema page. Access is checked by each field. */
export function registerGraphql(http: FastifyInstance, context: RouteContext): void {
  http.describeTag('graphql', 'GraphQL API.');
  context.scopes.public(http, (everybody) => {
    everybody.register(graphqlRoutes, { ...context, sendPage: createGraphiqlPage(context) });
    everybody.register(graphqlPageRoutes, context);
  });
}
