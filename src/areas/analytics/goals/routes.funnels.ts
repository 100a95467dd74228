import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requesterOf } from '../../../platform/http/requests/requester.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import type { Funnels } from './funnels.ts';
import { queryErrors } from '../figures/query-errors.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import {
  CreateFunnelBody,
  FunnelList,
  FunnelParams,
  FunnelReport,
  FunnelReportQuery,
  FunnelView,
} from './schemas.funnels.ts';
import { SiteParams } from '../sites/schemas.sites.ts';
import { DefinitionParams, RenameBody } from './schemas.steps.ts';

interface FunnelRoutesOptions {
  funnels: Funnels;
}

const tags = ['goals'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };

/** Funnels and their reports, for callers with `analytics:read`. */
export const funnelRoutes: FastifyPluginAsyncZod<FunnelRoutesOptions> = async (
  app,
  { funnels },
) => {
  noStore(app);

  app.get(
    '/funnels/:id',
    {
      config: { rateLimit: limit({ max: 300, seconds: 60, failOpen: true }) },
      schema: {
        operationId: 'analytics.get_funnel_report',
        summary: 'Get the report for a funnel',
        tags,
        params: FunnelParams,
        querystring: FunnelReportQuery,
        description:
          'A step is completed by the first matching event after the previous step, by ' +
          'time and id; other events may come in between. Only events in the period ' +
          'count, and event filters apply to every step. Anonymous visitors are ' +
          'recognized only within one UTC day.',
        errors: ['analytics.funnel_unknown', ...queryErrors],
        response: { 200: FunnelReport },
      },
    },
    (request, reply) =>
      funnels.getFunnelReport(request.params.id, request.query, requesterOf(request, reply)),
  );

  app.get(
    '/sites/:site_id/funnels',
    {
      config,
      schema: {
        operationId: 'analytics.list_funnels',
        summary: 'List the funnels of a site',
        description: 'Each funnel with its steps.',
        tags,
        params: SiteParams,
        errors: ['analytics.site_unknown'],
        response: { 200: FunnelList },
      },
    },
    async (request) => ({ data: await funnels.listFunnels(request.params.site_id) }),
  );
};

function createFunnel(app: ZodApp, { funnels }: FunnelRoutesOptions): void {
  app.post(
    '/sites/:site_id/funnels',
    {
      config,
      schema: {
        operationId: 'analytics.create_funnel',
        summary: 'Create a funnel',
        tags,
        params: SiteParams,
        body: CreateFunnelBody,
        description:
          'Two to eight steps in order. Applies to all stored events, including past ' +
          'ones. A site can have 100 funnels. `within: visitor` combines all visits by a ' +
          'visitor. It needs `user_id` or `anonymous_id`, because anonymous visitors are ' +
          'recognized only within one UTC day.',
        errors: [
          'analytics.site_unknown',
          'analytics.funnel_exists',
          'analytics.too_many_funnels',
          ...queryErrors,
        ],
        response: { 201: FunnelView },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await funnels.createFunnel(request.params.site_id, request.body, requestActor(request)),
        ),
  );
}

function renameFunnel(app: ZodApp, { funnels }: FunnelRoutesOptions): void {
  app.patch(
    '/sites/:site_id/funnels/:id',
    {
      config,
      schema: {
        operationId: 'analytics.rename_funnel',
        summary: 'Rename a funnel',
        description: 'The steps cannot be changed; create a new funnel instead.',
        tags,
        params: DefinitionParams,
        body: RenameBody,
        errors: ['analytics.site_unknown', 'analytics.funnel_unknown', 'analytics.funnel_exists'],
        response: { 200: FunnelView },
      },
    },
    (request) =>
      funnels.renameFunnel(
        request.params.site_id,
        request.params.id,
        request.body.name,
        requestActor(request),
      ),
  );
}

function deleteFunnel(app: ZodApp, { funnels }: FunnelRoutesOptions): void {
  app.delete(
    '/sites/:site_id/funnels/:id',
    {
      config,
      schema: {
        operationId: 'analytics.delete_funnel',
        summary: 'Delete a funnel',
        description: 'Stored events are kept.',
        tags,
        params: DefinitionParams,
        errors: ['analytics.site_unknown', 'analytics.funnel_unknown'],
        response: { 204: z.undefined().describe('Deleted.') },
      },
    },
    async (request, reply) => {
      await funnels.deleteFunnel(request.params.site_id, request.params.id, requestActor(request));
      return reply.code(204).send();
    },
  );
}

/** Funnel management, for admins. */
export const funnelAdminRoutes: FastifyPluginAsyncZod<FunnelRoutesOptions> = async (
  app,
  options,
) => {
  noStore(app);
  createFunnel(app, options);
  renameFunnel(app, options);
  deleteFunnel(app, options);
};
