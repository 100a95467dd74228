import type { FastifyInstance } from 'fastify';
import type { Scopes } from '../../platform/http/access.ts';
import {
  createGraphiqlPage,
  type GraphqlPageOptions,
  graphqlPageRoutes,
} from './pages/routes.pages.ts';
import { graphqlRoutes, type GraphqlRoutesOptions } from './http/routes.ts';

type GraphqlContext = Omit<GraphqlRoutesOptions, 'sendPage'> &
  GraphqlPageOptions & { scopes: Scopes };

/** Registers GraphQL, GraphiQL and the schema page. Access is checked by each field. */
export function registerGraphql(http: FastifyInstance, context: GraphqlContext): void {
  http.describeTag('graphql', 'GraphQL API.');
  context.scopes.public(http, (everybody) => {
    everybody.register(graphqlRoutes, { ...context, sendPage: createGraphiqlPage(context) });
    everybody.register(graphqlPageRoutes, context);
  });
}
