import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { Discovery } from './discovery.ts';
import { config, failures, mediaType } from './media.ts';
import { ScimDocument, ScimDocumentList, userSchema } from './schemas.ts';

export interface DiscoveryRoutesOptions {
  discovery: Discovery;
}

const tags = ['scim'];
const one = { 200: { content: { [mediaType]: { schema: ScimDocument } } }, ...failures };
const all = { 200: { content: { [mediaType]: { schema: ScimDocumentList } } }, ...failures };

function configRoute(app: ZodApp, { discovery }: DiscoveryRoutesOptions): void {
  app.get(
    '/scim/v2/ServiceProviderConfig',
    {
      config,
      schema: {
        operationId: 'scim.get_config',
        summary: 'Show what SCIM supports here',
        description: 'PATCH and filters are supported; bulk, sorting, ETags and passwords are not.',
        tags,
        response: one,
      },
    },
    async (_request, reply) => reply.type(mediaType).send(discovery.serviceProviderConfig),
  );
}

function typeRoutes(app: ZodApp, { discovery }: DiscoveryRoutesOptions): void {
  app.get(
    '/scim/v2/ResourceTypes',
    {
      config,
      schema: {
        operationId: 'scim.list_resource_types',
        summary: 'List the resource types of SCIM',
        description: 'Users only. There are no groups.',
        tags,
        response: all,
      },
    },
    async (_request, reply) => reply.type(mediaType).send(discovery.resourceTypes),
  );
  app.get(
    '/scim/v2/ResourceTypes/:id',
    {
      config,
      schema: {
        operationId: 'scim.get_resource_type',
        summary: 'Get a resource type of SCIM',
        description: 'The only one is `User`.',
        tags,
        params: z.object({
          id: z
            .string()
            .max(200)
            .describe('The name of the type.')
            .meta({ examples: ['User'] }),
        }),
        errors: ['request.not_found'],
        response: one,
      },
    },
    async (request, reply) => {
      if (request.params.id !== 'User') throw requestErrors.not_found();
      return reply.type(mediaType).send(discovery.resourceType);
    },
  );
}

function schemaRoutes(app: ZodApp, { discovery }: DiscoveryRoutesOptions): void {
  app.get(
    '/scim/v2/Schemas',
    {
      config,
      schema: {
        operationId: 'scim.list_schemas',
        summary: 'List the schemas of SCIM',
        description: 'The schema of users, with the attributes that are stored.',
        tags,
        response: all,
      },
    },
    async (_request, reply) => reply.type(mediaType).send(discovery.schemas),
  );
  app.get(
    '/scim/v2/Schemas/:id',
    {
      config,
      schema: {
        operationId: 'scim.get_schema',
        summary: 'Get a schema of SCIM',
        description: 'The only one is that of users.',
        tags,
        params: z.object({
          id: z
            .string()
            .max(200)
            .describe('The URN of the schema.')
            .meta({ examples: [userSchema] }),
        }),
        errors: ['request.not_found'],
        response: one,
      },
    },
    async (request, reply) => {
      if (request.params.id !== userSchema) throw requestErrors.not_found();
      return reply.type(mediaType).send(discovery.schema);
    },
  );
}

/** The documents that describe the service (RFC 7644 §4). */
export const discoveryRoutes: FastifyPluginAsyncZod<DiscoveryRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  configRoute(app, options);
  typeRoutes(app, options);
  schemaRoutes(app, options);
};
