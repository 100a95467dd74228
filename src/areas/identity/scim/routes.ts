import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { config, failures, mediaType } from './media.ts';
import { withMemberNames } from './member-names.ts';
import {
  PatchBody,
  ScimListQuery,
  ScimParams,
  ScimUser,
  ScimUserBody,
  ScimUserList,
} from './schemas.ts';
import type { Scim } from './service.ts';

export interface ScimRoutesOptions {
  scim: Scim;
}

const tags = ['scim'];
const consumes = [mediaType, 'application/json'];
const user = { content: { [mediaType]: { schema: ScimUser } } };
const users = { content: { [mediaType]: { schema: ScimUserList } } };
const valueErrors = ['scim.invalid_value', 'users.taken', 'users.review_account'];

function readRoutes(app: ZodApp, { scim }: ScimRoutesOptions): void {
  app.get(
    '/scim/v2/Users',
    {
      config,
      schema: {
        operationId: 'scim.list_users',
        summary: 'List users over SCIM',
        description:
          'In the order of their ids. 100 users per page by default, 200 at most. Filters ' +
          'support all operators of RFC 7644 on the attributes of the schema.',
        tags,
        querystring: ScimListQuery,
        errors: ['scim.invalid_filter'],
        response: { 200: users, ...failures },
      },
    },
    async (request, reply) =>
      reply.type(mediaType).send(await scim.list(request.query, disconnectSignal(reply))),
  );

  app.get(
    '/scim/v2/Users/:id',
    {
      config,
      schema: {
        operationId: 'scim.get_user',
        summary: 'Get a user over SCIM',
        description: 'Users who are locked out are shown; those deleted over SCIM are not.',
        tags,
        params: ScimParams,
        errors: ['users.not_found'],
        response: { 200: user, ...failures },
      },
    },
    async (request, reply) => reply.type(mediaType).send(await scim.get(request.params.id)),
  );
}

function createRoute(app: ZodApp, { scim }: ScimRoutesOptions): void {
  app.post(
    '/scim/v2/Users',
    {
      config,
      schema: {
        operationId: 'scim.create_user',
        summary: 'Create a user over SCIM',
        description:
          'The person gets no role, and verifies the address at the first sign-in. Brings back ' +
          'a user who was deleted over SCIM and has this address.',
        tags,
        consumes,
        body: ScimUserBody,
        errors: valueErrors,
        response: { 201: user, ...failures },
      },
    },
    async (request, reply) => {
      const created = await scim.create(request.body, requestActor(request));
      return reply
        .code(201)
        .header('location', created.meta.location)
        .type(mediaType)
        .send(created);
    },
  );
}

function changeRoutes(app: ZodApp, { scim }: ScimRoutesOptions): void {
  const changeErrors = [...valueErrors, 'users.not_found', 'users.last_admin'];
  app.put(
    '/scim/v2/Users/:id',
    {
      config,
      schema: {
        operationId: 'scim.replace_user',
        summary: 'Replace a user over SCIM',
        description:
          'Removes names and the external id that the body leaves out. Without `active`, ' +
          'access is unchanged. A new address is unverified; verified addresses are kept.',
        tags,
        consumes,
        params: ScimParams,
        body: ScimUserBody,
        errors: changeErrors,
        response: { 200: user, ...failures },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const changed = await scim.replace(params.id, body, requestActor(request));
      return reply.type(mediaType).send(changed);
    },
  );

  app.patch(
    '/scim/v2/Users/:id',
    {
      config,
      schema: {
        operationId: 'scim.update_user',
        summary: 'Change a user over SCIM',
        description:
          'At most 50 operations. Attributes that the service does not have, such as roles, ' +
          'are ignored. One that locks the person out takes effect even if other values in the ' +
          'request cannot be used.',
        tags,
        consumes,
        params: ScimParams,
        body: PatchBody,
        errors: [...changeErrors, 'scim.invalid_path', 'scim.no_target', 'scim.mutability'],
        response: { 200: user, ...failures },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const changed = await scim.patch(params.id, body, requestActor(request));
      return reply.type(mediaType).send(changed);
    },
  );
}

function deleteRoute(app: ZodApp, { scim }: ScimRoutesOptions): void {
  app.delete(
    '/scim/v2/Users/:id',
    {
      config,
      schema: {
        operationId: 'scim.delete_user',
        summary: 'Delete a user over SCIM',
        description:
          'Locks the person out, removes all roles and hides the user from SCIM. The account ' +
          'and its data stay in the service.',
        tags,
        params: ScimParams,
        errors: ['users.not_found', 'users.last_admin'],
        response: { 204: z.undefined().describe('Deleted.'), ...failures },
      },
    },
    async (request, reply) => {
      await scim.remove(request.params.id, requestActor(request));
      return reply.code(204).send();
    },
  );
}

/** Users over SCIM (RFC 7644 §3). */
export const scimRoutes: FastifyPluginAsyncZod<ScimRoutesOptions> = async (app, options) => {
  noStore(app);
  app.addHook('preValidation', async (request) => {
    request.body = withMemberNames(request.body);
  });
  readRoutes(app, options);
  createRoute(app, options);
  changeRoutes(app, options);
  deleteRoute(app, options);
};
