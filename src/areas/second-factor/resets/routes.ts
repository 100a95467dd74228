import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { Guards } from '../../auth/guards.ts';
import { factorResetErrors } from './errors.ts';
import {
  ApproveFactorResetBody,
  FactorResetParams,
  FactorResetView,
  RequestFactorResetBody,
} from './schemas.ts';
import type { FactorResets } from './service.ts';
import { toResetView } from './views.ts';

export interface FactorResetRoutesOptions {
  factorResets: FactorResets;
  guards: Pick<Guards, 'requireFresh' | 'sessionOf'>;
}

const tags = ['users'];
const read = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };
const change = { rateLimit: limit({ max: 20, seconds: 300 }) };
const path = '/api/v1/users/:id/factor-reset';

const changeErrors = [
  'auth.step_up_required',
  'users.not_found',
  'factor_resets.person_required',
  'factor_resets.own_account',
  'factor_resets.user_disabled',
];

function getRoute(app: ZodApp, { factorResets }: FactorResetRoutesOptions): void {
  app.get(
    path,
    {
      config: read,
      schema: {
        operationId: 'users.get_factor_reset',
        summary: 'Get the 2FA reset of a user',
        description: 'The open reset, or else the last one.',
        tags,
        params: FactorResetParams,
        errors: ['users.not_found', 'factor_resets.not_found'],
        response: { 200: FactorResetView },
      },
    },
    async (request) => {
      const reset = await factorResets.latest(request.params.id);
      if (reset === undefined) throw factorResetErrors.not_found();
      return toResetView(reset);
    },
  );
}

function requestRoute(app: ZodApp, { factorResets, guards }: FactorResetRoutesOptions): void {
  app.post(
    path,
    {
      config: change,
      schema: {
        operationId: 'users.request_factor_reset',
        summary: 'Request a 2FA reset',
        description:
          'For a user who lost every second factor. Another admin has to approve it within 7 ' +
          'days, and it takes effect 24 hours later. The user is told on every channel, and so ' +
          'are the other admins. Requires a sign-in within the last five minutes; API keys ' +
          'cannot do this. At most three for a user in 24 hours.',
        tags,
        params: FactorResetParams,
        body: RequestFactorResetBody,
        errors: [
          ...changeErrors,
          'factor_resets.too_few_admins',
          'factor_resets.already_open',
          'factor_resets.nothing_to_reset',
          'factor_resets.rate_limited',
        ],
        response: { 201: FactorResetView },
      },
    },
    async (request, reply) => {
      guards.requireFresh(request);
      const { id } = request.params;
      const reset = await factorResets.request(id, request.body.reason, requestActor(request));
      return reply.code(201).send(toResetView(reset));
    },
  );
}

function approveRoute(app: ZodApp, { factorResets, guards }: FactorResetRoutesOptions): void {
  app.post(
    '/api/v1/users/:id/factor-reset/approve',
    {
      config: change,
      schema: {
        operationId: 'users.approve_factor_reset',
        summary: 'Approve a 2FA reset',
        description:
          'By another admin than the one who requested it. After 24 hours, the factors are ' +
          'removed, the sessions end and the devices are revoked. Requires a sign-in within the ' +
          'last five minutes; API keys cannot do this. The same admin can repeat the call.',
        tags,
        params: FactorResetParams,
        body: ApproveFactorResetBody.optional(),
        errors: [
          ...changeErrors,
          'factor_resets.not_found',
          'factor_resets.own_request',
          'factor_resets.changed',
          'factor_resets.already_approved',
          'factor_resets.requester_gone',
        ],
        response: { 200: FactorResetView },
      },
    },
    async (request) => {
      guards.requireFresh(request);
      const { params, body } = request;
      return toResetView(await factorResets.approve(params.id, body?.id, requestActor(request)));
    },
  );
}

function cancelRoute(app: ZodApp, { factorResets }: FactorResetRoutesOptions): void {
  app.delete(
    path,
    {
      config: read,
      schema: {
        operationId: 'users.cancel_factor_reset',
        summary: 'Cancel a 2FA reset',
        description: 'Until it takes effect. Repeating the call has no effect.',
        tags,
        params: FactorResetParams,
        errors: ['factor_resets.not_found', 'factor_resets.took_effect'],
        response: { 204: z.undefined().describe('Canceled.') },
      },
    },
    async (request, reply) => {
      await factorResets.cancel(request.params.id, requestActor(request));
      return reply.code(204).send();
    },
  );
}

/** Resets of the second factors of other users, for admins. */
export const factorResetRoutes: FastifyPluginAsyncZod<FactorResetRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  getRoute(app, options);
  requestRoute(app, options);
  approveRoute(app, options);
  cancelRoute(app, options);
};
