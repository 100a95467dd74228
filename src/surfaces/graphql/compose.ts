import type { Resources } from '../../platform/resources.ts';
import type { GraphqlServices } from './context.ts';
import { createGraphql } from './service.ts';

/** The services that GraphQL exposes, and the identities of socket clients. */
export type GraphqlParts = Omit<GraphqlServices, keyof Resources | 'release'>;

/** Creates the GraphQL service on top of the services of the REST API. */
export const composeGraphql = (resources: Resources, parts: GraphqlParts, version: string) => ({
  graphql: createGraphql({
    ...resources,
    ...parts,
    release: { version, releaseId: resources.config.RELEASE_ID },
  }),
});
