import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { UpdateSiteBody, CreateSiteBody } from '../../../../areas/analytics/sites/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { requestActor } from '../../../../platform/http/requests/request-actor.ts';
import { requesterOf } from '../../../../platform/http/requests/requester.ts';
import { Toast } from '../../../../platform/ui/components/feedback.tsx';
import { asForm, FormValues, listOf, parseForm, requireWord, siteOf, textOf } from '../../forms.ts';
import { ActionButton } from '../../components/console-form.tsx';
import { sentenceOf } from '../../components/notices.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { form, innerPage } from '../../route-options.ts';
import { AnalyticsPageQuery, defaultParams } from '../page-query.ts';
import { noSitesPage } from '../no-sites-page.tsx';
import { readRequestedSite } from '../requested-site.ts';
import { texts } from '../texts/en.ts';
import { sitePage } from './site-page.tsx';
import { sitePath } from './site-path.ts';

const maxAnnotations = 100;

/** The notice of what was done. Deleted annotations can be restored: the URL has their content. */
function noticeOf({ done, site_id, value: text, from: at }: AnalyticsPageQuery): Html | undefined {
  const sentence = sentenceOf(texts.site.done, done);
  if (sentence === undefined) return undefined;
  if (done !== 'annotation_deleted' || text === undefined || at === undefined)
    return <Toast text={sentence} />;
  const undo = (
    <ActionButton
      action={`${sitePath}/annotations`}
      values={{ site_id, at, text }}
      label={texts.site.annotations.undo}
      icon="undo"
    />
  );
  return <Toast text={sentence} undo={undo} />;
}

/** The settings of a site, for everybody with a role; links and reports are for admins. */
export const sitePageRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  { baseOrigin, services, viewerOf, send },
) => {
  app.get(
    '/api/svc/console/analytics/site',
    innerPage('console.site', 'Console: settings of a site', { querystring: AnalyticsPageQuery }),
    async (request, reply) => {
      const viewer = viewerOf(request);
      const by = requesterOf(request, reply);
      const requested = await readRequestedSite(services, request.query, by);
      if (requested === undefined) return send(reply, noSitesPage(baseOrigin, viewer.isAdmin));
      const { site } = requested.address;
      const [annotations, shares, reports] = await Promise.all([
        services.annotations.listAnnotations(
          site,
          { limit: maxAnnotations, cursor: undefined },
          by.signal,
        ),
        viewer.isAdmin ? services.shares.listShares(site) : undefined,
        viewer.isAdmin ? services.reports.listReports(site) : undefined,
      ]);
      const view = {
        address: defaultParams(requested.address),
        sites: requested.sites,
        site: services.siteAdmin.getSite(site),
        annotations: annotations.data,
        shares,
        reports,
        origin: baseOrigin,
        notice: noticeOf(request.query),
      };
      return send(reply, sitePage(view, viewer));
    },
  );
};

const linesOf = (values: FormValues, name: string): string[] =>
  (textOf(values, name) ?? '').split(/[\s,]+/).filter((line) => line !== '');

/** Converts the settings form to the body of the API's call. */
function settingsBody(values: FormValues): object {
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

/** Redirects to the settings of the form's site. */
export const redirectToSite = (
  reply: FastifyReply,
  values: FormValues,
  done: string,
  query: Readonly<Record<string, string | undefined>> = {},
): FastifyReply => redirectTo(reply, sitePath, { site_id: siteOf(values), done, ...query });

function updateSiteRoute(
  app: ConsoleScope,
  { services: { siteAdmin } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/site/settings',
    form('console.update_site', 'Form: settings of a site', { body: FormValues }),
    async (request, reply) => {
      const { body } = request;
      const change = parseForm(UpdateSiteBody, settingsBody(body));
      await asForm(() => siteAdmin.updateSite(siteOf(body), change, requestActor(request)));
      return redirectToSite(reply, body, 'saved');
    },
  );
}

function closeSiteRoute(
  app: ConsoleScope,
  { services: { siteAdmin } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/site/close',
    form('console.close_site', 'Form: close a site', { body: FormValues }),
    async (request, reply) => {
      const site = siteOf(request.body);
      requireWord(request.body, site);
      await siteAdmin.updateSite(site, { closed: true }, requestActor(request));
      return redirectToSite(reply, request.body, 'closed');
    },
  );
}

function openSiteRoute(app: ConsoleScope, { services: { siteAdmin } }: ConsoleRoutesOptions): void {
  app.post(
    '/api/svc/console/analytics/site/open',
    form('console.open_site', 'Form: take events of a site again', { body: FormValues }),
    async (request, reply) => {
      await siteAdmin.updateSite(siteOf(request.body), { closed: false }, requestActor(request));
      return redirectToSite(reply, request.body, 'opened');
    },
  );
}

function createSiteRoute(
  app: ConsoleScope,
  { services: { siteAdmin } }: ConsoleRoutesOptions,
): void {
  app.post(
    '/api/svc/console/analytics/site/register',
    form('console.create_site', 'Form: register a site', { body: FormValues }),
    async (request, reply) => {
      const body = { site_id: textOf(request.body, 'name') };
      const { site_id: site } = parseForm(CreateSiteBody, body);
      await siteAdmin.createSite(site, requestActor(request));
      return redirectTo(reply, sitePath, { site_id: site, done: 'registered' });
    },
  );
}

/** Forms that change a site, for admins. */
export const siteFormRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  updateSiteRoute(app, options);
  closeSiteRoute(app, options);
  openSiteRoute(app, options);
  createSiteRoute(app, options);
};
