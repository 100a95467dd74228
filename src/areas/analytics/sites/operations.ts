import { operationsOf } from '../../../platform/operations/operation.ts';
import type { AnalyticsContext } from '../compose.ts';
import { CreateSiteBody, SiteParams, SiteView, UpdateSiteBody } from './schemas.ts';

const reading = operationsOf<AnalyticsContext>({ scope: 'analytics:read', tag: 'sites' });
const operation = operationsOf<AnalyticsContext>({ scope: 'admin', tag: 'sites' });

export const siteSettingOperations = [
  reading({
    id: 'analytics.get_site',
    path: 'GET /analytics/sites/:site_id',
    summary: 'Get a site and its settings',
    description: 'Includes which events the site rejects, and how long it keeps events.',
    params: SiteParams,
    output: SiteView,
    errors: ['analytics.site_unknown'],
    run: ({ siteAdmin }, { site_id }) => siteAdmin.getSite(site_id),
  }),
];

/** Site management. */
export const siteOperations = [
  operation({
    id: 'analytics.create_site',
    path: 'POST /analytics/sites',
    summary: 'Create a site',
    description:
      'Works even if automatic registration is off (`SITE_REGISTRATION`) or ' +
      '`SITE_LIMIT` is reached. Returns 201 for a new site, or 200 for an existing ' +
      'one, which stays unchanged.',
    body: CreateSiteBody,
    output: SiteView,
    schema: { response: { 200: SiteView, 201: SiteView } },
    async run({ siteAdmin }, { site_id }, { by, reply }) {
      const { site, isNew } = await siteAdmin.createSite(site_id, by);
      if (isNew) void reply.code(201);
      return site;
    },
  }),
  operation({
    id: 'analytics.update_site',
    path: 'PATCH /analytics/sites/:site_id',
    summary: 'Update a site',
    description:
      'Omitted fields stay unchanged. Applies to new events, on all replicas. ' +
      'Rejected events are counted in `left_out.dropped` of the dashboard: ' +
      '`host_not_allowed`, `shielded_ip`, `shielded_country`, `shielded_page`, ' +
      '`site_closed`.',
    params: SiteParams,
    body: UpdateSiteBody,
    output: SiteView,
    errors: ['analytics.site_unknown'],
    run: ({ siteAdmin }, { site_id, ...body }, { by }) => siteAdmin.updateSite(site_id, body, by),
  }),
];
