import type { Resources } from '../../platform/resources.ts';
import type { Identities } from '../ws/clients/identities.ts';
import type { GraphqlServices } from './context.ts';
import { createGraphql } from './service.ts';

/** The services that GraphQL shows, and who opens its sockets. */
export interface GraphqlParts extends Omit<GraphqlServices, 'clock' | 'release'> {
  identities: Identities;
}

/** Makes GraphQL over the services of the REST API. */
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
