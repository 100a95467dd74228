import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { CreateAnnotationBody } from '../../../../areas/analytics/annotations/schemas.ts';
import { CreateReportBody, CreateShareBody } from '../../../../areas/analytics/sharing/schemas.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import {
  asForm,
  FormValues,
  idOf,
  instantOf,
  parseForm,
  requireWord,
  siteOf,
  textOf,
} from '../../forms.ts';
import type { ConsoleRoutesOptions, ConsoleScope } from '../../request-context.ts';
import { form } from '../../route-options.ts';
import { readParams } from '../page-query.ts';
import { redirectToSite } from './routes.site.tsx';
import { createdSharePage } from './shares-panel.tsx';

function createAnnotationRoute(
  app: ConsoleScope,
  { services: { annotations } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/site/annotations',
    form('console.create_annotation', 'Form: add an annotation', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      const annotation = parseForm(CreateAnnotationBody, {
        at: instantOf(body, 'at'),
        text: textOf(body, 'text'),
      });
      await asForm(() =>
        annotations.createAnnotation(siteOf(body), annotation, requestActor(request)),
      );
      return redirectToSite(reply, body, 'annotated');
    },
  );
}

function deleteAnnotationRoute(
  app: ConsoleScope,
  { services: { annotations } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/site/annotations/delete',
    form('console.delete_annotation', 'Form: delete an annotation', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      await annotations.deleteAnnotation(siteOf(body), idOf(body), requestActor(request));
      return redirectToSite(reply, body, 'annotation_deleted', {
        from: textOf(body, 'at'),
        value: textOf(body, 'text'),
      });
    },
  );
}

/** Responds with the link, which is shown only once. */
function createShareRoute(
  app: ConsoleScope,
  { services: { shares }, send }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/site/shares',
    form('console.create_share', 'Form: make a link to share', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      const share = parseForm(CreateShareBody, {
        name: textOf(body, 'name'),
        password: textOf(body, 'password'),
        expires_at: instantOf(body, 'expires_at'),
      });
      const { name, url } = await asForm(() =>
        shares.createShare(siteOf(body), share, requestActor(request)),
      );
      return send(reply, createdSharePage(readParams({}, siteOf(body)), name, url));
    },
  );
}

function revokeShareRoute(app: ConsoleScope, { services: { shares } }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/analytics/site/shares/revoke',
    form('console.revoke_share', 'Form: revoke a link to share', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      requireWord(body, textOf(body, 'name') ?? '');
      await shares.revokeShare(siteOf(body), idOf(body), requestActor(request));
      return redirectToSite(reply, body, 'share_revoked');
    },
  );
}

function createReportRoute(
  app: ConsoleScope,
  { services: { reports } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/site/reports',
    form('console.create_report', 'Form: send reports by email', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      const report = parseForm(CreateReportBody, {
        email: textOf(body, 'email'),
        frequency: textOf(body, 'frequency'),
        timezone: textOf(body, 'timezone'),
      });
      await asForm(() => reports.createReport(siteOf(body), report, requestActor(request)));
      return redirectToSite(reply, body, 'report_added');
    },
  );
}

function deleteReportRoute(
  app: ConsoleScope,
  { services: { reports } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/site/reports/delete',
    form('console.delete_report', 'Form: end reports by email', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      requireWord(body, textOf(body, 'email') ?? '');
      await reports.deleteReport(siteOf(body), idOf(body), requestActor(request));
      return redirectToSite(reply, body, 'report_deleted');
    },
  );
}

function sendTestReportRoute(
  app: ConsoleScope,
  { services: { reports } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/site/reports/test',
    form('console.send_test_report', 'Form: send one report now', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      await reports.sendTestReport(siteOf(body), idOf(body), requestActor(request));
      return redirectToSite(reply, body, 'report_sent');
    },
  );
}

/** Annotations, share links and reports of a site, for admins. */
export const sharingFormRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  createAnnotationRoute(app, options);
  deleteAnnotationRoute(app, options);
  createShareRoute(app, options);
  revokeShareRoute(app, options);
  createReportRoute(app, options);
  deleteReportRoute(app, options);
  sendTestReportRoute(app, options);
};
