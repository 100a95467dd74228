import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requestActor } from '../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../platform/http/requests/requester.ts';
import { limit } from '../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../platform/http/security.ts';
import type { SignupAdmin } from './admin.ts';
import { DeletedSignup, SignupListQuery, SignupPage, SignupParams } from './schemas.ts';

const tags = ['signup'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };

/** Signups, for admins. */
export const signupAdminRoutes: FastifyPluginAsyncZod<{ signupAdmin: SignupAdmin }> = async (
  app,
  { signupAdmin },
) => {
  noStore(app);

  app.get(
    '/api/v1/signups',
    {
      config,
      schema: {
        operationId: 'signup.list',
        summary: 'List sign-ups',
        description: 'Includes sign-ups whose address is not confirmed yet.',
        tags,
        querystring: SignupListQuery,
        response: { 200: SignupPage },
      },
    },
    (request, reply) => signupAdmin.list(request.query, disconnectSignal(reply)),
  );

  app.delete(
    '/api/v1/signups/:id',
    {
      config,
      schema: {
        operationId: 'signup.delete',
        summary: 'Delete a sign-up',
        description:
          'Deletes all data of the sign-up. If the person has already signed in, their ' +
          'user account is kept.',
        errors: ['signup.not_found'],
        tags,
        params: SignupParams,
        response: { 200: DeletedSignup },
      },
    },
    async (request) => {
      await signupAdmin.delete(request.params.id, requestActor(request));
      return { deleted: true as const, id: request.params.id };
    },
  );
};
