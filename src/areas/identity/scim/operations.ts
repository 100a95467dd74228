import { z } from 'zod';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import type { Discovery } from './discovery.ts';
import { config, failures, limit, mediaType } from './media.ts';
import { withMemberNames } from './member-names.ts';
import {
  PatchBody,
  ScimDocument,
  ScimDocumentList,
  ScimListQuery,
  ScimParams,
  ScimUser,
  ScimUserBody,
  ScimUserList,
  userSchema,
} from './schemas.ts';
import type { Scim } from './service.ts';

export interface ScimContext {
  scim: Scim;
  scimDiscovery: Discovery;
}

const operation = operationsOf<ScimContext>({
  scope: 'admin',
  tag: 'scim',
  limit,
  config,
  refusesRepeats: true,
});

const answer = (schema: z.ZodType, status = 200) => ({
  response: { [status]: { content: { [mediaType]: { schema } } }, ...failures },
});
const consumes = [mediaType, 'application/json'];
const changed = { ...answer(ScimUser), consumes };
const valueErrors = ['scim.invalid_value', 'users.taken', 'users.review_account'];
const changeErrors = [...valueErrors, 'users.not_found', 'users.last_admin'];

/** Bodies may write the names of members in any case. */
const route: NonNullable<Parameters<typeof operation>[0]['route']> = {
  async preValidation(request) {
    request.body = withMemberNames(request.body);
  },
};

/** Users over SCIM (RFC 7644 §3). */
export const scimOperations = [
  operation({
    id: 'scim.list_users',
    path: 'GET /scim/v2/Users',
    summary: 'List users over SCIM',
    description:
      'Sorted by id. 100 users per page by default, 200 at most. Filters support all ' +
      'operators of RFC 7644 on the attributes of the schema.',
    query: ScimListQuery,
    errors: ['scim.invalid_filter'],
    schema: answer(ScimUserList),
    run: async ({ scim }, query, { signal, reply }) =>
      reply.type(mediaType).send(await scim.list(query, signal)),
  }),
  operation({
    id: 'scim.get_user',
    path: 'GET /scim/v2/Users/:id',
    summary: 'Get a user over SCIM',
    description: 'Users who are locked out are shown; those deleted over SCIM are not.',
    params: ScimParams,
    errors: ['users.not_found'],
    schema: answer(ScimUser),
    run: async ({ scim }, { id }, { reply }) => reply.type(mediaType).send(await scim.get(id)),
  }),
  operation({
    id: 'scim.create_user',
    path: 'POST /scim/v2/Users',
    summary: 'Create a user over SCIM',
    description:
      'The person gets no role, and verifies the address at the first sign-in. Restores a ' +
      'user who was deleted over SCIM and has this address.',
    body: ScimUserBody,
    status: 201,
    errors: valueErrors,
    schema: { ...answer(ScimUser, 201), consumes },
    route,
    async run({ scim }, body, { by, reply }) {
      const created = await scim.create(body, by);
      return reply.header('location', created.meta.location).type(mediaType).send(created);
    },
  }),
  operation({
    id: 'scim.replace_user',
    path: 'PUT /scim/v2/Users/:id',
    summary: 'Replace a user over SCIM',
    description:
      'Removes names and the external id that the body leaves out. Without `active`, access is ' +
      'unchanged. A new address is unverified; verified addresses are kept.',
    params: ScimParams,
    body: ScimUserBody,
    errors: changeErrors,
    schema: changed,
    route,
    run: async ({ scim }, { id, ...body }, { by, reply }) =>
      reply.type(mediaType).send(await scim.replace(id, body, by)),
  }),
  operation({
    id: 'scim.update_user',
    path: 'PATCH /scim/v2/Users/:id',
    summary: 'Change a user over SCIM',
    description:
      'At most 50 operations. Attributes that the service does not have, such as roles, are ' +
      'ignored. One that locks the person out takes effect even if other values in the request ' +
      'cannot be used.',
    params: ScimParams,
    body: PatchBody,
    errors: [...changeErrors, 'scim.invalid_path', 'scim.no_target', 'scim.mutability'],
    schema: changed,
    route,
    run: async ({ scim }, { id, ...body }, { by, reply }) =>
      reply.type(mediaType).send(await scim.patch(id, body, by)),
  }),
  operation({
    id: 'scim.delete_user',
    path: 'DELETE /scim/v2/Users/:id',
    summary: 'Delete a user over SCIM',
    description:
      'Locks the person out, removes all roles and hides the user from SCIM. The account and its ' +
      'data stay in the service.',
    params: ScimParams,
    status: 204,
    errors: ['users.not_found', 'users.last_admin'],
    schema: { response: { 204: z.undefined().describe('Deleted.'), ...failures } },
    run: ({ scim }, { id }, { by }) => scim.remove(id, by),
  }),
];

const idParams = (description: string, example: string) =>
  z.object({
    id: z
      .string()
      .max(200)
      .describe(description)
      .meta({ examples: [example] }),
  });

/** The documents that describe the service (RFC 7644 §4). */
export const discoveryOperations = [
  operation({
    id: 'scim.get_config',
    path: 'GET /scim/v2/ServiceProviderConfig',
    summary: 'Get the SCIM service provider configuration',
    description: 'PATCH and filters are supported; bulk, sorting, ETags and passwords are not.',
    schema: answer(ScimDocument),
    run: ({ scimDiscovery }, _, { reply }) =>
      reply.type(mediaType).send(scimDiscovery.serviceProviderConfig),
  }),
  operation({
    id: 'scim.list_resource_types',
    path: 'GET /scim/v2/ResourceTypes',
    summary: 'List the SCIM resource types',
    description: 'Users only. There are no groups.',
    schema: answer(ScimDocumentList),
    run: ({ scimDiscovery }, _, { reply }) =>
      reply.type(mediaType).send(scimDiscovery.resourceTypes),
  }),
  operation({
    id: 'scim.get_resource_type',
    path: 'GET /scim/v2/ResourceTypes/:id',
    summary: 'Get a SCIM resource type',
    description: '`User` is the only one.',
    params: idParams('The name of the type.', 'User'),
    errors: ['request.not_found'],
    schema: answer(ScimDocument),
    run({ scimDiscovery }, { id }, { reply }) {
      if (id !== 'User') throw requestErrors.not_found();
      return reply.type(mediaType).send(scimDiscovery.resourceType);
    },
  }),
  operation({
    id: 'scim.list_schemas',
    path: 'GET /scim/v2/Schemas',
    summary: 'List the SCIM schemas',
    description: 'The user schema, with the attributes that the service stores.',
    schema: answer(ScimDocumentList),
    run: ({ scimDiscovery }, _, { reply }) => reply.type(mediaType).send(scimDiscovery.schemas),
  }),
  operation({
    id: 'scim.get_schema',
    path: 'GET /scim/v2/Schemas/:id',
    summary: 'Get a SCIM schema',
    description: 'The user schema is the only one.',
    params: idParams('The URN of the schema.', userSchema),
    errors: ['request.not_found'],
    schema: answer(ScimDocument),
    run({ scimDiscovery }, { id }, { reply }) {
      if (id !== userSchema) throw requestErrors.not_found();
      return reply.type(mediaType).send(scimDiscovery.schema);
    },
  }),
];
