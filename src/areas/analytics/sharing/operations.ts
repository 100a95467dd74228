import { z } from 'zod';
import { limited } from '../../../platform/operations/limits.ts';
import { operationsOf } from '../../../platform/operations/operation.ts';
import type { AnalyticsContext } from '../compose.ts';
import { plainQueryErrors } from '../errors.ts';
import {
  CreatedShareView,
  CreateReportBody,
  CreateShareBody,
  ReportList,
  ReportTested,
  ReportView,
  ShareList,
  SharingParams,
  SiteParams,
} from './schemas.ts';

const operation = operationsOf<AnalyticsContext>({ scope: 'admin', tag: 'sharing' });

/** Share links of sites. */
export const shareOperations = [
  operation({
    id: 'analytics.list_shares',
    path: 'GET /analytics/sites/:site_id/shares',
    summary: 'List a site’s share links',
    description:
      'Active and expired links, newest first. Revoked links are not included. ' +
      'URLs are never shown again.',
    params: SiteParams,
    output: ShareList,
    errors: ['analytics.site_unknown'],
    run: async ({ shares }, { site_id }) => ({ data: await shares.listShares(site_id) }),
  }),
  operation({
    id: 'analytics.create_share',
    path: 'POST /analytics/sites/:site_id/shares',
    summary: 'Create a share link',
    description:
      'Anyone with the link can see the site’s figures, but no data about ' +
      'individuals. The URL is shown only once and stored as a hash. A site can have ' +
      'up to 50 links.',
    params: SiteParams,
    body: CreateShareBody,
    status: 201,
    output: CreatedShareView,
    errors: ['analytics.site_unknown', 'analytics.too_many_shares', 'analytics.share_busy'],
    run: ({ shares }, { site_id, ...body }, { by }) => shares.createShare(site_id, body, by),
  }),
  operation({
    id: 'analytics.revoke_share',
    path: 'DELETE /analytics/sites/:site_id/shares/:id',
    summary: 'Revoke a share link',
    description:
      'The link stops working immediately, including for visitors who entered its ' +
      'password. Repeating the call has no effect.',
    params: SharingParams,
    status: 204,
    schema: { response: { 204: z.undefined().describe('The share link is revoked.') } },
    errors: ['analytics.share_not_found'],
    run: ({ shares }, { site_id, id }, { by }) => shares.revokeShare(site_id, id, by),
  }),
];

/** Email reports about sites. */
export const reportOperations = [
  operation({
    id: 'analytics.list_reports',
    path: 'GET /analytics/sites/:site_id/reports',
    summary: 'List a site’s email reports',
    description: 'Newest first, including reports whose recipient unsubscribed.',
    params: SiteParams,
    output: ReportList,
    errors: ['analytics.site_unknown'],
    run: async ({ reports }, { site_id }) => ({ data: await reports.listReports(site_id) }),
  }),
  operation({
    id: 'analytics.create_report',
    path: 'POST /analytics/sites/:site_id/reports',
    summary: 'Create an email report',
    description:
      'The first report covers the current week or month. Each email has an ' +
      'unsubscribe link. A site can have up to 50 reports.',
    params: SiteParams,
    body: CreateReportBody,
    status: 201,
    output: ReportView,
    errors: [
      'analytics.site_unknown',
      'analytics.report_exists',
      'analytics.too_many_reports',
      'analytics.email_not_configured',
    ],
    run: ({ reports }, { site_id, ...body }, { by }) => reports.createReport(site_id, body, by),
  }),
  operation({
    id: 'analytics.delete_report',
    path: 'DELETE /analytics/sites/:site_id/reports/:id',
    summary: 'Delete an email report',
    description: 'Deletes the address as well.',
    params: SharingParams,
    status: 204,
    errors: ['analytics.report_not_found'],
    async run({ reports }, { site_id, id }, { by }) {
      await reports.deleteReport(site_id, id, by);
    },
  }),
  operation({
    id: 'analytics.send_test_report',
    path: 'POST /analytics/sites/:site_id/reports/:id/test',
    limit: limited({ max: 10, seconds: 600, group: 'analytics-report-test' }),
    summary: 'Send a test report',
    description:
      'Sends the report for the last complete week or month, at most once per ' +
      'minute. The scheduled report is still sent.',
    params: SharingParams,
    status: 202,
    output: ReportTested,
    errors: [
      'analytics.report_not_found',
      'analytics.report_ended',
      'analytics.email_not_configured',
      ...plainQueryErrors,
    ],
    async run({ reports }, { site_id, id }, { by }) {
      await reports.sendTestReport(site_id, id, by);
      return { detail: 'An email is on its way.' };
    },
  }),
];
