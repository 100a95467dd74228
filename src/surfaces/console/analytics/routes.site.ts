import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { html, type Html } from '../../../lib/text/html.ts';
import { sendPage } from '../../../platform/ui/page-scope.ts';
import { requesterOf } from '../../../platform/http/requester.ts';
import type { Annotations } from '../../../areas/analytics/annotations/annotations.ts';
import type { Reports } from '../../../areas/analytics/sharing/reports/reports.ts';
import type { CreateAnnotationBody } from '../../../areas/analytics/annotations/schemas.annotations.ts';
import type { UpdateSiteBody } from '../../../areas/analytics/sites/schemas.sites.ts';
import type {
  CreateReportBody,
  CreateShareBody,
} from '../../../areas/analytics/sharing/schemas.sharing.ts';
import type { Shares } from '../../../areas/analytics/sharing/shares/shares.ts';
import type { SiteAdmin } from '../../../areas/analytics/sites/site-admin.ts';
import { analyticsHome } from './analytics-address.ts';
import { AnalyticsPageQuery, plainAddress, readAddress } from './analytics-query.ts';
import {
  asForm,
  checked,
  formLimit,
  FormValues,
  idOf,
  instantOf,
  listOf,
  requireWord,
  siteOf,
  textOf,
} from '../form-values.ts';
import { changes, looks } from '../limits.ts';
import { askedSite, type AnalyticsSource } from './routes.analytics.ts';
import type { ConsoleRoutesOptions } from '../operations/routes.overview.ts';
import { noSitesPage } from './analytics-page.ts';
import { HtmlPage } from '../schemas.ts';
import { madeSharePage, sitePage } from './site-page.ts';
import { postForm, sentenceOf, withQuery } from '../parts.ts';

/** What is done with a site: the services of the API, and its schemas for what comes in. */
export interface SiteSource {
  siteAdmin: SiteAdmin;
  annotations: Pick<Annotations, 'listAnnotations' | 'createAnnotation' | 'deleteAnnotation'>;
  shares: Pick<Shares, 'listShares' | 'createShare' | 'revokeShare'>;
  reports: Pick<Reports, 'listReports' | 'createReport' | 'deleteReport' | 'sendTestReport'>;
  schemas: {
    change: z.ZodType<UpdateSiteBody>;
    register: z.ZodType<{ site_id: string }>;
    annotation: z.ZodType<CreateAnnotationBody>;
    share: z.ZodType<CreateShareBody>;
    report: z.ZodType<CreateReportBody>;
  };
}

export type SiteRoutesOptions = ConsoleRoutesOptions & {
  analytics: AnalyticsSource;
  site: SiteSource;
};

const place = `${analyticsHome}/site`;

const notices: Readonly<Record<string, string>> = {
  saved: 'The settings are saved. They hold at once, on every replica.',
  annotated: 'The annotation is there.',
  share_revoked: 'The link shows nothing any more.',
  closed: 'The site is closed.',
  opened: 'The site takes events again.',
  registered: 'The site is registered.',
  report_added: 'Reports are on their way from the next period on.',
  report_deleted: 'No more reports to this address.',
  report_sent: 'A report is on its way.',
};

/** What was just done; an annotation that is gone can be brought back. */
function noticeOf({
  done,
  site_id: site,
  value: text,
  from: at,
}: AnalyticsPageQuery): Html | undefined {
  if (done === 'annotation_deleted')
    return html`<p>The annotation is deleted.${text === undefined || at === undefined ? undefined : postForm({ action: `${place}/annotations`, values: { site_id: site, at, text }, button: 'Undo' })}</p>`;
  const sentence = sentenceOf(notices, done);
  return sentence === undefined ? undefined : html`<p>${sentence}</p>`;
}

/** The settings of a site, for everybody who sees its figures. */
export const sitePageRoutes: FastifyPluginAsyncZod<SiteRoutesOptions> = async (
  app,
  { consoleLayout, viewerOf, analytics, site: source },
) => {
  app.get(
    '/',
    {
      config: looks,
      schema: {
        operationId: 'console.site',
        summary: 'Console: settings of a site',
        tags: ['pages'],
        hide: true,
        querystring: AnalyticsPageQuery,
        response: { 200: HtmlPage },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const by = requesterOf(request, reply);
      const asked = await askedSite(analytics, request.query, by);
      if (asked === undefined)
        return sendPage(
          reply,
          consoleLayout(noSitesPage(analytics.origin, viewer.isAdmin), viewer),
        );
      const {
        address: { site },
        sites,
      } = asked;
      const [annotations, shares, reports] = await Promise.all([
        source.annotations.listAnnotations(site, { limit: 100, cursor: undefined }, by.signal),
        viewer.isAdmin ? source.shares.listShares(site) : undefined,
        viewer.isAdmin ? source.reports.listReports(site) : undefined,
      ]);
      const address = plainAddress(asked.address);
      return sendPage(
        reply,
        consoleLayout(
          sitePage(
            {
              address,
              sites,
              site: source.siteAdmin.getSite(site),
              annotations: annotations.data,
              shares,
              reports,
              origin: analytics.origin,
              notice: noticeOf(request.query),
            },
            viewer,
          ),
          viewer,
        ),
      );
    },
  );
};

const linesOf = (values: FormValues, name: string): string[] =>
  (textOf(values, name) ?? '').split(/[\s,]+/).filter((line) => line !== '');
const back = (
  values: FormValues,
  done: string,
  more: Readonly<Record<string, string | undefined>> = {},
): string => withQuery(place, { site_id: siteOf(values), done, ...more });

/** What a form of settings says, as the API's body. */
function settingsOf(values: FormValues): object {
  const days = textOf(values, 'retention_days');
  return {
    hosts: linesOf(values, 'hosts'),
    shields: {
      ips: linesOf(values, 'ips'),
      countries: linesOf(values, 'countries').map((code) => code.toUpperCase()),
      pages: linesOf(values, 'pages'),
    },
    retention_days: days === undefined ? null : Number(days),
    honour_gpc: listOf(values, 'honour_gpc').includes('true'),
    honour_dnt: listOf(values, 'honour_dnt').includes('true'),
  };
}

type Routes = Parameters<FastifyPluginAsyncZod<SiteRoutesOptions>>[0];

const form = (name: string, summary: string) => ({
  ...formLimit,
  config: changes,
  schema: {
    operationId: `console.${name}`,
    summary: `Form: ${summary}`,
    tags: ['pages'],
    hide: true,
    body: FormValues,
  },
});

function settingForms(app: Routes, { viewerOf, site: source }: SiteRoutesOptions): void {
  const { schemas } = source;

  app.post('/settings', form('site_settings', 'settings of a site'), async (request, reply) => {
    const { body } = request;
    await asForm(() =>
      source.siteAdmin.updateSite(
        siteOf(body),
        checked(schemas.change, settingsOf(body)),
        viewerOf(request).by,
      ),
    );
    return reply.redirect(back(body, 'saved'), 303);
  });

  app.post('/close', form('site_close', 'close a site'), async (request, reply) => {
    requireWord(request.body, siteOf(request.body));
    await source.siteAdmin.updateSite(siteOf(request.body), { closed: true }, viewerOf(request).by);
    return reply.redirect(back(request.body, 'closed'), 303);
  });

  app.post('/open', form('site_open', 'take events of a site again'), async (request, reply) => {
    await source.siteAdmin.updateSite(
      siteOf(request.body),
      { closed: false },
      viewerOf(request).by,
    );
    return reply.redirect(back(request.body, 'opened'), 303);
  });

  app.post('/register', form('site_register', 'register a site'), async (request, reply) => {
    const { site_id: site } = checked(schemas.register, { site_id: textOf(request.body, 'name') });
    await source.siteAdmin.createSite(site, viewerOf(request).by);
    return reply.redirect(withQuery(place, { site_id: site, done: 'registered' }), 303);
  });
}

function sharingForms(
  app: Routes,
  { consoleLayout, viewerOf, site: source }: SiteRoutesOptions,
): void {
  const { schemas } = source;

  app.post('/annotations', form('annotation_add', 'add an annotation'), async (request, reply) => {
    const { body } = request;
    await asForm(() =>
      source.annotations.createAnnotation(
        siteOf(body),
        checked(schemas.annotation, { at: instantOf(body, 'at'), text: textOf(body, 'text') }),
        viewerOf(request).by,
      ),
    );
    return reply.redirect(back(body, 'annotated'), 303);
  });

  app.post(
    '/annotations/delete',
    form('annotation_delete', 'delete an annotation'),
    async (request, reply) => {
      const { body } = request;
      await source.annotations.deleteAnnotation(siteOf(body), idOf(body), viewerOf(request).by);
      return reply.redirect(
        back(body, 'annotation_deleted', { from: textOf(body, 'at'), value: textOf(body, 'text') }),
        303,
      );
    },
  );

  app.post('/shares', form('share_add', 'make a link to share'), async (request, reply) => {
    const { body } = request;
    const viewer = viewerOf(request);
    const { name, url } = await asForm(() =>
      source.shares.createShare(
        siteOf(body),
        checked(schemas.share, {
          name: textOf(body, 'name'),
          password: textOf(body, 'password'),
          expires_at: instantOf(body, 'expires_at'),
        }),
        viewer.by,
      ),
    );
    return sendPage(
      reply,
      consoleLayout(madeSharePage(readAddress({}, siteOf(body)), name, url), viewer),
    );
  });

  app.post(
    '/shares/revoke',
    form('share_revoke', 'revoke a link to share'),
    async (request, reply) => {
      requireWord(request.body, textOf(request.body, 'name') ?? '');
      await source.shares.revokeShare(
        siteOf(request.body),
        idOf(request.body),
        viewerOf(request).by,
      );
      return reply.redirect(back(request.body, 'share_revoked'), 303);
    },
  );
}

function reportForms(app: Routes, { viewerOf, site: source }: SiteRoutesOptions): void {
  app.post('/reports', form('report_add', 'send reports by e-mail'), async (request, reply) => {
    const { body } = request;
    await asForm(() =>
      source.reports.createReport(
        siteOf(body),
        checked(source.schemas.report, {
          email: textOf(body, 'email'),
          frequency: textOf(body, 'frequency'),
          timezone: textOf(body, 'timezone'),
        }),
        viewerOf(request).by,
      ),
    );
    return reply.redirect(back(body, 'report_added'), 303);
  });

  app.post(
    '/reports/delete',
    form('report_delete', 'end reports by e-mail'),
    async (request, reply) => {
      requireWord(request.body, textOf(request.body, 'email') ?? '');
      await source.reports.deleteReport(
        siteOf(request.body),
        idOf(request.body),
        viewerOf(request).by,
      );
      return reply.redirect(back(request.body, 'report_deleted'), 303);
    },
  );

  app.post('/reports/test', form('report_test', 'send one report now'), async (request, reply) => {
    await source.reports.sendTestReport(
      siteOf(request.body),
      idOf(request.body),
      viewerOf(request).by,
    );
    return reply.redirect(back(request.body, 'report_sent'), 303);
  });
}

/** Forms that change a site: for admins. */
export const siteFormRoutes: FastifyPluginAsyncZod<SiteRoutesOptions> = async (app, options) => {
  settingForms(app, options);
  sharingForms(app, options);
  reportForms(app, options);
};
