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

/** GraphQL, GraphiQL and the page of the schema. Each field decides who may see it. */
export function registerGraphql(http: FastifyInstance, context: GraphqlContext): void {
  http.describeTag('graphql', 'The same services by GraphQL.');
  context.scopes.public(http, (everybody) => {
    everybody.register(graphqlRoutes, { ...context, sendPage: createGraphiqlPage(context) });
    everybody.register(graphqlPageRoutes, context);
  });
}
