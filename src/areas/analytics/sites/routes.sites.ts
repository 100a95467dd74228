import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../../platform/http/security.ts';
import { UpdateSiteBody, CreateSiteBody, SiteParams, SiteView } from './schemas.sites.ts';
import type { SiteAdmin } from './site-admin.ts';

const tags = ['analytics'];
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
        summary: 'Show a site and its settings',
        description: 'What it takes, what it refuses, and how long events are kept.',
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
        summary: 'Register a site',
        description:
          'Also where unknown sites are refused (`SITE_REGISTRATION`), and beyond `SITE_LIMIT`. ' +
          '201 when it is new; 200 when it exists, and stays as it is.',
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
        summary: 'Change a site',
        tags,
        params: SiteParams,
        body: UpdateSiteBody,
        description:
          'What is left out stays as it is. Applies to events from now on, on all replicas. ' +
          'Refused events are counted in `left_out.dropped` of the dashboard: ' +
          '`host_not_allowed`, `shielded_ip`, `shielded_country`, `shielded_page`, `site_closed`.',
        errors: ['analytics.site_unknown'],
        response: { 200: SiteView },
      },
    },
    (request) => siteAdmin.updateSite(request.params.site_id, request.body, requestActor(request)),
  );
};
