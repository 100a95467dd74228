import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { disconnectSignal } from '../../../platform/http/requests/requester.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { Guards } from '../../auth/guards.ts';
import {
  CreateInvitationBody,
  InvitationListQuery,
  InvitationPage,
  InvitationParams,
  InvitationView,
} from './schemas.ts';
import type { Invitations } from './service.ts';

export interface InvitationRoutesOptions {
  invitations: Invitations;
  guards: Pick<Guards, 'requireFresh'>;
}

const tags = ['invitations'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };
const sendErrors = [
  'invitations.rate_limited',
  'invitations.address_rate_limited',
  'comms.not_configured',
  'comms.recipient_invalid',
  'auth.step_up_required',
];

function readRoutes(app: ZodApp, { invitations }: InvitationRoutesOptions): void {
  app.get(
    '/api/v1/invitations',
    {
      config,
      schema: {
        operationId: 'invitations.list',
        summary: 'List invitations',
        description: 'Newest first. Links are never shown: they are only in the emails.',
        tags,
        querystring: InvitationListQuery,
        response: { 200: InvitationPage },
      },
    },
    ({ query: { limit: max, cursor, ...filters } }, reply) =>
      invitations.list({ filters, limit: max, cursor }, disconnectSignal(reply)),
  );

  app.get(
    '/api/v1/invitations/:id',
    {
      config,
      schema: {
        operationId: 'invitations.get',
        summary: 'Get an invitation',
        description: 'All details of the invitation except its link.',
        tags,
        params: InvitationParams,
        errors: ['invitations.not_found'],
        response: { 200: InvitationView },
      },
    },
    (request) => invitations.get(request.params.id),
  );
}

function sendRoutes(app: ZodApp, { invitations, guards }: InvitationRoutesOptions): void {
  app.post(
    '/api/v1/invitations',
    {
      config,
      schema: {
        operationId: 'invitations.create',
        summary: 'Invite a person',
        description:
          'Sends an email with a link that works once. At most 100 invitations in an hour, and ' +
          '500 pending ones. People must have signed in within the last five minutes.',
        tags,
        body: CreateInvitationBody,
        errors: [
          ...sendErrors,
          'invitations.already_pending',
          'invitations.too_many_pending',
          'users.review_account',
        ],
        response: { 200: InvitationView },
      },
    },
    async (request) => {
      guards.requireFresh(request);
      return invitations.create(request.body, requestActor(request));
    },
  );

  app.post(
    '/api/v1/invitations/:id/resend',
    {
      config,
      schema: {
        operationId: 'invitations.resend',
        summary: 'Send an invitation again',
        description:
          'Sends a new link and starts the time anew. The previous link stops working. At most ' +
          'five emails for each invitation, with a minute in between.',
        tags,
        params: InvitationParams,
        errors: [
          ...sendErrors,
          'invitations.not_found',
          'invitations.not_open',
          'invitations.resent_too_often',
        ],
        response: { 200: InvitationView },
      },
    },
    async (request) => {
      guards.requireFresh(request);
      return invitations.resend(request.params.id, requestActor(request));
    },
  );
}

function revokeRoute(app: ZodApp, { invitations }: InvitationRoutesOptions): void {
  app.delete(
    '/api/v1/invitations/:id',
    {
      config,
      schema: {
        operationId: 'invitations.revoke',
        summary: 'Revoke an invitation',
        description: 'The link stops working immediately. Repeating the call has no effect.',
        tags,
        params: InvitationParams,
        errors: ['invitations.not_found', 'invitations.not_open'],
        response: { 200: InvitationView },
      },
    },
    (request) => invitations.revoke(request.params.id, requestActor(request)),
  );
}

/** Invitations, for admins. */
export const invitationRoutes: FastifyPluginAsyncZod<InvitationRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  readRoutes(app, options);
  sendRoutes(app, options);
  revokeRoute(app, options);
};
