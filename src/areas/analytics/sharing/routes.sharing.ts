import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { limit } from '../../../platform/http/limits/rate-limit.ts';
import { noStore } from '../../../platform/http/security.ts';
import type { ZodApp } from '../../../platform/http/zod-app.ts';
import { plainQueryErrors } from '../figures/query-errors.ts';
import type { Reports } from './reports/reports.ts';
import { requestActor } from '../../../platform/http/requests/request-actor.ts';
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
} from './schemas.sharing.ts';
import type { Shares } from './shares/shares.ts';

interface SharingRoutesOptions {
  shares: Shares;
  reports: Reports;
}

const tags = ['sharing'];
const config = { rateLimit: limit({ max: 120, seconds: 60, failOpen: true }) };
const testConfig = { rateLimit: limit({ max: 10, seconds: 600, group: 'analytics-report-test' }) };
const gone = z.undefined();

function listShares(app: ZodApp, { shares }: SharingRoutesOptions): void {
  app.get(
    '/sites/:site_id/shares',
    {
      config,
      schema: {
        operationId: 'analytics.list_shares',
        summary: 'List the share links of a site',
        description:
          'Active and expired links, newest first. Revoked links are not included. ' +
          'URLs are never shown again.',
        tags,
        params: SiteParams,
        errors: ['analytics.site_unknown'],
        response: { 200: ShareList },
      },
    },
    async (request) => ({ data: await shares.listShares(request.params.site_id) }),
  );
}

function createShare(app: ZodApp, { shares }: SharingRoutesOptions): void {
  app.post(
    '/sites/:site_id/shares',
    {
      config,
      schema: {
        operationId: 'analytics.create_share',
        summary: 'Create a share link',
        description:
          'Anyone with the link can see the site’s figures, but no data about ' +
          'individuals. The URL is shown only once and stored as a hash. A site can have ' +
          'up to 50 links.',
        tags,
        params: SiteParams,
        body: CreateShareBody,
        errors: ['analytics.site_unknown', 'analytics.too_many_shares', 'analytics.share_busy'],
        response: { 201: CreatedShareView },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await shares.createShare(request.params.site_id, request.body, requestActor(request)),
        ),
  );
}

function revokeShare(app: ZodApp, { shares }: SharingRoutesOptions): void {
  app.delete(
    '/sites/:site_id/shares/:id',
    {
      config,
      schema: {
        operationId: 'analytics.revoke_share',
        summary: 'Revoke a share link',
        description:
          'The link stops working immediately, including for visitors who entered its ' +
          'password. Repeating the call has no effect.',
        tags,
        params: SharingParams,
        errors: ['analytics.share_not_found'],
        response: { 204: gone.describe('The share link is revoked.') },
      },
    },
    async (request, reply) => {
      await shares.revokeShare(request.params.site_id, request.params.id, requestActor(request));
      return reply.code(204).send(undefined);
    },
  );
}

function listReports(app: ZodApp, { reports }: SharingRoutesOptions): void {
  app.get(
    '/sites/:site_id/reports',
    {
      config,
      schema: {
        operationId: 'analytics.list_reports',
        summary: 'List the email reports for a site',
        description: 'Newest first, including reports whose recipient unsubscribed.',
        tags,
        params: SiteParams,
        errors: ['analytics.site_unknown'],
        response: { 200: ReportList },
      },
    },
    async (request) => ({ data: await reports.listReports(request.params.site_id) }),
  );
}

function createReport(app: ZodApp, { reports }: SharingRoutesOptions): void {
  app.post(
    '/sites/:site_id/reports',
    {
      config,
      schema: {
        operationId: 'analytics.create_report',
        summary: 'Create an email report',
        description:
          'The first report covers the current week or month. Each email has an ' +
          'unsubscribe link. A site can have up to 50 reports.',
        tags,
        params: SiteParams,
        body: CreateReportBody,
        errors: [
          'analytics.site_unknown',
          'analytics.report_exists',
          'analytics.too_many_reports',
          'analytics.email_not_configured',
        ],
        response: { 201: ReportView },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await reports.createReport(request.params.site_id, request.body, requestActor(request)),
        ),
  );
}

function deleteReport(app: ZodApp, { reports }: SharingRoutesOptions): void {
  app.delete(
    '/sites/:site_id/reports/:id',
    {
      config,
      schema: {
        operationId: 'analytics.delete_report',
        summary: 'Delete an email report',
        description: 'Deletes the address as well.',
        tags,
        params: SharingParams,
        errors: ['analytics.report_not_found'],
        response: { 204: gone.describe('Deleted.') },
      },
    },
    async (request, reply) => {
      await reports.deleteReport(request.params.site_id, request.params.id, requestActor(request));
      return reply.code(204).send(undefined);
    },
  );
}

function sendTestReport(app: ZodApp, { reports }: SharingRoutesOptions): void {
  app.post(
    '/sites/:site_id/reports/:id/test',
    {
      config: testConfig,
      schema: {
        operationId: 'analytics.send_test_report',
        summary: 'Send a test report',
        description:
          'Sends the report for the last complete week or month, at most once per ' +
          'minute. The scheduled report is still sent.',
        tags,
        params: SharingParams,
        errors: [
          'analytics.report_not_found',
          'analytics.report_ended',
          'analytics.email_not_configured',
          ...plainQueryErrors,
        ],
        response: { 202: ReportTested },
      },
    },
    async (request, reply) => {
      await reports.sendTestReport(
        request.params.site_id,
        request.params.id,
        requestActor(request),
      );
      return reply.code(202).send({ detail: 'An email is on its way.' });
    },
  );
}

/** Management of share links and reports, for admins. */
export const sharingRoutes: FastifyPluginAsyncZod<SharingRoutesOptions> = async (app, options) => {
  noStore(app);
  listShares(app, options);
  createShare(app, options);
  revokeShare(app, options);
  listReports(app, options);
  createReport(app, options);
  deleteReport(app, options);
  sendTestReport(app, options);
};
