import { Readable } from 'node:stream';
import { attachment } from '../../../lib/net/header-text.ts';
import { limited, usualLimit } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import type { AnalyticsContext } from '../compose.ts';
import { plainQueryErrors, queryErrors } from '../errors.ts';
import { contentTypes } from './exports.ts';
import {
  PendingView,
  SiteList,
  SitesDashboardQuery,
  SitesDashboardView,
} from './schemas.dashboard.ts';
import { ExportBody, exportResponse } from './schemas.export.ts';
import { RetentionQuery, RetentionView } from './schemas.retention.ts';

const operation = operationsOf<AnalyticsContext>({
  scope: 'analytics:read',
  tag: 'analytics',
  limit: limited({ max: 300, seconds: 60, failOpen: true }),
  noStore: false,
});

/** Dashboards, and the export of raw events. */
export const dashboardOperations = [
  operation({
    id: 'analytics.get_dashboard',
    path: 'GET /analytics/dashboard',
    summary: 'Get the dashboard for one site or for all sites',
    description:
      'Totals, a time series without gaps, the top values of each dimension ' +
      '(`limit`, up to 1,000) and the excluded events, all from one snapshot. ' +
      'Without `site_id`: the only site, or all sites combined, with the totals of ' +
      'each in `sites`.',
    query: SitesDashboardQuery,
    output: SitesDashboardView,
    errors: ['analytics.site_unknown', 'analytics.goal_unknown', ...queryErrors],
    run: ({ dashboards }, query, { requester }) => dashboards.getSitesDashboard(query, requester),
  }),
  operation({
    id: 'analytics.list_sites',
    path: 'GET /analytics/sites',
    tag: 'sites',
    summary: 'List sites',
    description:
      'All registered sites, each with its number of events and the time of its last ' + 'event.',
    schema: { returns: 'The sites, with the number of events for each.' },
    output: SiteList,
    errors: plainQueryErrors,
    run: async ({ dashboards }, _, { requester }) => ({ data: await dashboards.sites(requester) }),
  }),
  operation({
    id: 'analytics.export_events',
    path: 'POST /analytics/export/events',
    limit: limited({ max: 30, seconds: 60, failOpen: true }),
    config: { longLived: true },
    summary: 'Export raw events',
    description:
      'Streamed, ordered by time and then by id, oldest first. If some rows cannot ' +
      'be sent, the connection closes early, so a response that completes is a ' +
      'complete export.',
    body: ExportBody,
    schema: { response: { 200: exportResponse } },
    errors: ['analytics.site_unknown', ...queryErrors],
    async run({ exports }, body, { reply, requester }) {
      const { format, parts } = await exports.exportEvents(body, requester);
      return reply
        .type(contentTypes[format])
        .header('content-disposition', attachment(`events.${format}`))
        .header('cache-control', 'no-store')
        .send(Readable.from(parts, { objectMode: false, highWaterMark: 256 * 1024 }));
    },
  }),
];

/** Retention, and the number of accepted events not in the figures yet, which imports wait for. */
export const retentionOperations = [
  operation({
    id: 'analytics.get_retention',
    path: 'GET /analytics/retention',
    limit: usualLimit,
    summary: 'Get retention for a site',
    description:
      'Groups visitors into cohorts by the `unit` of their first event, and counts ' +
      'how many return in each later `unit`. Includes only identified visitors ' +
      '(`user_id`, `anonymous_id`), because the salts that identify others are ' +
      'deleted after 48 hours. The first event is the earliest stored event that the ' +
      'filters select. Filters apply to later events too.',
    query: RetentionQuery,
    output: RetentionView,
    errors: ['analytics.site_unknown', ...queryErrors],
    run: ({ retention }, query, { requester }) => retention.getRetention(query, requester),
  }),
  operation({
    id: 'analytics.get_pending',
    path: 'GET /analytics/pending',
    scope: 'analytics:write',
    noStore: true,
    summary: 'Get the number of pending events',
    description:
      'Events acknowledged with 200 are on disk. They appear in the figures within ' +
      'moments, or with a longer delay after an import. Each replica counts only the ' +
      'events it accepted.',
    output: PendingView,
    run({ backlog }) {
      const { accepted, pending } = backlog.figures();
      return { accepted_events: accepted, pending_events: pending };
    },
  }),
];
