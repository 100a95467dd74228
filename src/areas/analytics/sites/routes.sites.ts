import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../../platform/http/security.ts';
import { UpdateSiteBody, CreateSiteBody, SiteParams, SiteView } from './schemas.sites.ts';
import type { SiteAdmin } from './site-admin.ts';

const tags = ['sites'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };

/** Settings of sites, for callers with `analytics:read`. */
export const siteRoutes: FastifyPluginAsyncZod<{ siteAdmin: SiteAdmin }> = async (
  app,
  { siteAdmin },
) => {
  noStore(app);

  app.get(
    '/sites/:site_id',
    {
      config,
      schema: {
        operationId: 'analytics.get_site',
        summary: 'Get a site and its settings',
        description: 'Includes which events the site rejects, and how long it keeps events.',
        tags,
        params: SiteParams,
        errors: ['analytics.site_unknown'],
        response: { 200: SiteView },
      },
    },
    async (request) => siteAdmin.getSite(request.params.site_id),
  );
};

/** Site management, for admins. */
export const siteAdminRoutes: FastifyPluginAsyncZod<{ siteAdmin: SiteAdmin }> = async (
  app,
  { siteAdmin },
) => {
  noStore(app);

  app.post(
    '/sites',
    {
      config,
      schema: {
        operationId: 'analytics.create_site',
        summary: 'Create a site',
        description:
          'Works even if automatic registration is off (`SITE_REGISTRATION`) or ' +
          '`SITE_LIMIT` is reached. Returns 201 for a new site, or 200 for an existing ' +
          'one, which stays unchanged.',
        tags,
        body: CreateSiteBody,
        response: { 200: SiteView, 201: SiteView },
      },
    },
    async (request, reply) => {
      const { site, isNew } = await siteAdmin.createSite(
        request.body.site_id,
        requestActor(request),
      );
      return reply.code(isNew ? 201 : 200).send(site);
    },
  );

  app.patch(
    '/sites/:site_id',
    {
      config,
      schema: {
        operationId: 'analytics.update_site',
        summary: 'Update a site',
        tags,
        params: SiteParams,
        body: UpdateSiteBody,
        description:
          'Omitted fields stay unchanged. Applies to new events, on all replicas. ' +
          'Rejected events are counted in `left_out.dropped` of the dashboard: ' +
          '`host_not_allowed`, `shielded_ip`, `shielded_country`, `shielded_page`, ' +
          '`site_closed`.',
        errors: ['analytics.site_unknown'],
        response: { 200: SiteView },
      },
    },
    (request) => siteAdmin.updateSite(request.params.site_id, request.body, requestActor(request)),
  );
};
