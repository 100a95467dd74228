import { z } from 'zod';
import { CreateAnnotationBody } from '../../../../areas/analytics/annotations/schemas.ts';
import { CreateReportBody, CreateShareBody } from '../../../../areas/analytics/sharing/schemas.ts';
import { withQuery } from '../../components/navigation.tsx';
import type { FormValues } from '../../forms.ts';
import { form } from '../../routes.forms.ts';
import { site } from '../routes.site-page.ts';
import { RemovedReport } from '../../../../areas/analytics/sharing/reports/service.ts';
import { openRemoval, removed, sealRemoval } from '../removals.ts';
import { createdSharePage } from './shares-panel.tsx';
import { type SitePart, sitePartPath } from './site-path.ts';
import { instantIn } from './site-times.ts';

const toPart =
  (part: SitePart) =>
  ({ site_id }: { site_id: string }) =>
    sitePartPath(part, site_id);
const OfSite = z.object({ ...site, id: z.uuid() });
const Undo = z.object({ ...site, ...removed });

/** A time of a form, which is in the time zone of the site. Left out if it is empty. */
function timeIn(values: FormValues, name: 'at' | 'expires_at'): object {
  const at = instantIn(values, name);
  return at === undefined ? {} : { [name]: at };
}

const RevokedShare = z.object({ id: z.uuid() });

/** Annotations, share links and reports of a site, for admins. */
export const sharingForms = [
  form({
    id: 'console.create_annotation',
    path: '/api/svc/console/analytics/site/annotations',
    summary: 'Form: add an annotation',
    body: CreateAnnotationBody.extend(site),
    read: (values) => timeIn(values, 'at'),
    run: ({ annotations }, { site_id: id, ...annotation }, { by }) =>
      annotations.createAnnotation(id, annotation, by),
    to: toPart('annotations'),
    done: 'annotated',
  }),
  form({
    id: 'console.delete_annotation',
    path: '/api/svc/console/analytics/site/annotations/delete',
    summary: 'Form: delete an annotation',
    body: OfSite.extend({ at: z.string().optional(), text: z.string().optional() }),
    run: ({ annotations }, { site_id: of, id }, { by }) => annotations.deleteAnnotation(of, id, by),
    // With its content, so that the page can offer to restore it.
    to: ({ site_id, at, text }) =>
      withQuery(sitePartPath('annotations', site_id), {
        done: 'annotation_deleted',
        from: at,
        value: text,
      }),
  }),
  form({
    id: 'console.create_share',
    path: '/api/svc/console/analytics/site/shares',
    summary: 'Form: create a share link',
    body: CreateShareBody.extend(site),
    read: (values) => timeIn(values, 'expires_at'),
    run: ({ shares }, { site_id: id, ...share }, { by }) => shares.createShare(id, share, by),
    to: ({ site_id: id }, created) => createdSharePage(id, created),
  }),
  form({
    id: 'console.revoke_share',
    path: '/api/svc/console/analytics/site/shares/revoke',
    summary: 'Form: revoke a share link',
    body: OfSite,
    run: (context, { site_id: of, id }, { by }) =>
      context.shares.revokeShare(of, id, by).then(() => sealRemoval(context, { id })),
    to: ({ site_id }, sealed) => withQuery(sitePartPath('shares', site_id), { removed: sealed }),
    done: 'share_revoked',
  }),
  form({
    id: 'console.restore_share',
    path: '/api/svc/console/analytics/site/shares/restore',
    summary: 'Form: undo the revocation of a share link',
    body: Undo,
    run: (context, { site_id: of, removed: sealed }, { by }) =>
      context.shares.restoreShare(of, openRemoval(RevokedShare, context, sealed).id, by),
    to: toPart('shares'),
    done: 'share_restored',
  }),
  form({
    id: 'console.create_report',
    path: '/api/svc/console/analytics/site/reports',
    summary: 'Form: set up email reports',
    body: CreateReportBody.extend(site),
    run: ({ reports }, { site_id: id, ...report }, { by }) => reports.createReport(id, report, by),
    to: toPart('reports'),
    done: 'report_added',
  }),
  form({
    id: 'console.delete_report',
    path: '/api/svc/console/analytics/site/reports/delete',
    summary: 'Form: stop email reports',
    body: OfSite,
    run: async (context, { site_id: of, id }, { by }) =>
      sealRemoval(context, await context.reports.deleteReport(of, id, by)),
    to: ({ site_id }, sealed) => withQuery(sitePartPath('reports', site_id), { removed: sealed }),
    done: 'report_deleted',
  }),
  form({
    id: 'console.restore_report',
    path: '/api/svc/console/analytics/site/reports/restore',
    summary: 'Form: undo the deletion of an email report',
    body: Undo,
    run: (context, { site_id: of, removed: sealed }, { by }) =>
      context.reports.restoreReport(of, openRemoval(RemovedReport, context, sealed), by),
    to: toPart('reports'),
    done: 'report_restored',
  }),
  form({
    id: 'console.send_test_report',
    path: '/api/svc/console/analytics/site/reports/test',
    summary: 'Form: send one report now',
    body: OfSite,
    run: ({ reports }, { site_id: of, id }, { by }) => reports.sendTestReport(of, id, by),
    to: toPart('reports'),
    done: 'report_sent',
  }),
];
