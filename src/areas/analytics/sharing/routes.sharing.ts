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

const tags = ['analytics'];
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
          'Those that are not revoked, newest first. The links themselves are never shown.',
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
        summary: 'Make a share link',
        description:
          'Who has the link sees the figures of the site, and nothing of single persons. ' +
          'The link is shown this once and kept as a hash. A site can have 50.',
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
          'It stops working at once, also where somebody has entered its password. ' +
          'Revoking it again changes nothing.',
        tags,
        params: SharingParams,
        errors: ['analytics.share_not_found'],
        response: { 204: gone.describe('It is revoked.') },
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
        summary: 'List the e-mail reports of a site',
        description: 'Newest first, also those that who gets them has ended.',
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
        summary: 'Send reports of a site to an address',
        description:
          'The first one is about the week, or month, that is under way. ' +
          'Each has a link to unsubscribe. A site can have 50.',
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
        summary: 'Send a report no more',
        description: 'The address is forgotten.',
        tags,
        params: SharingParams,
        errors: ['analytics.report_not_found'],
        response: { 204: gone.describe('It is deleted.') },
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
        summary: 'Send a report now',
        description:
          'About the newest week or month that is over, at most once in a minute. ' +
          'It is sent again when it is due.',
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
