import type { Resources } from '../../platform/resources.ts';
import type { Identities } from '../ws/clients/identities.ts';
import type { GraphqlServices } from './context.ts';
import { createGraphql } from './service.ts';

/** The services that GraphQL exposes, and the identities of socket clients. */
export interface GraphqlParts extends Omit<GraphqlServices, 'clock' | 'release'> {
  identities: Identities;
}

/** Creates the GraphQL service on top of the services of the REST API. */
export function composeGraphql(
  { bus, clock, config, logger }: Resources,
  { identities, ...services }: GraphqlParts,
  version: string,
) {
  const release = { version, releaseId: config.RELEASE_ID };
  return {
    graphql: createGraphql({
      bus,
      config,
      identities,
      logger,
      services: { ...services, clock, release },
    }),
  };
}
