import { z } from 'zod';
import type { ShareView } from '../../../../areas/analytics/sharing/schemas.ts';
import { CreateSiteBody, UpdateSiteBody } from '../../../../areas/analytics/sites/schemas.ts';
import { isUuid } from '../../../../lib/ids.ts';
import { canonicalAddress } from '../../../../lib/net/ip.ts';
import type { Html } from '../../../../lib/text/html.ts';
import type { HttpCall } from '../../../../platform/operations/call.ts';
import { formPage } from '../../components/form-page.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { textOf } from '../../forms.ts';
import type { ConsoleServices } from '../../context.ts';
import { nameOf } from '../../people/labels.tsx';
import type { ConsoleRoutesOptions } from '../../request-context.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { toDashboardQuery } from '../figures.ts';
import { defaultParams } from '../page-query.ts';
import { site, sitePage, type SiteView } from '../routes.site-page.ts';
import { siteBreadcrumbs } from '../breadcrumbs.ts';
import { analyticsPath } from '../view-params.ts';
import { texts } from '../texts/en.ts';
import { annotationsPanel, newAnnotationForm, undoDeletion } from './annotations-panel.tsx';
import { excludedIn, linesOf } from './excluded-form.ts';
import { excludedPanel } from './excluded-panel.tsx';
import { closingForm, closingPanel } from './closing-panel.tsx';
import { installPanel } from './install-panel.tsx';
import { newSiteForm } from './new-site-form.tsx';
import {
  aboutAnnotations,
  aboutNewSite,
  aboutReports,
  aboutShares,
  aboutSite,
} from './site-about.tsx';
import { newReportForm, reportsPanel } from './reports-panel.tsx';
import { sharingForms } from './routes.sharing.ts';
import { settingsPanel } from './settings-panel.tsx';
import { newShareForm, sharesPanel } from './shares-panel.tsx';
import { settingsPage, undoRemoval } from './site-page.tsx';
import { type SitePart, sitePartPath } from './site-path.ts';

const maxAnnotations = 100;
/** Beside the form for another one. */
const newestAnnotations = 5;

/** The settings of a site, for everybody with a role. */
export const siteSettingsPages = [
  sitePage({
    id: 'console.site',
    path: '/api/svc/console/analytics/site',
    summary: 'Console: settings of a site',
    show({ siteAdmin }, view) {
      const site = siteAdmin.getSite(view.address.site);
      const { isAdmin } = view.viewer;
      const children = [settingsPanel(site, isAdmin), isAdmin && closingPanel(site)];
      return settingsPage(view, { part: '', children });
    },
  }),
  sitePage({
    id: 'console.site_tag',
    path: '/api/svc/console/analytics/site/tag',
    summary: 'Console: the tag of a site',
    show: ({ baseOrigin }, view) =>
      settingsPage(view, {
        part: 'tag',
        children: installPanel(view.address, view.sites, baseOrigin),
      }),
  }),
  sitePage({
    id: 'console.site_annotations',
    path: '/api/svc/console/analytics/site/annotations',
    summary: 'Console: annotations of a site',
    async show(context, view, { signal }) {
      const { site } = view.address;
      const page = { limit: maxAnnotations, cursor: undefined };
      const { data } = await context.annotations.listAnnotations(site, page, signal);
      return settingsPage(view, {
        part: 'annotations',
        children: annotationsPanel(data, view.address, view.viewer.isAdmin),
        undo: undoDeletion(view.query),
      });
    },
  }),
  sitePage({
    id: 'console.site_excluded',
    path: '/api/svc/console/analytics/site/excluded',
    summary: 'Console: what a site excludes',
    show({ siteAdmin }, view, { request }) {
      const site = siteAdmin.getSite(view.address.site);
      const who = { isAdmin: view.viewer.isAdmin, ip: canonicalAddress(request.ip) };
      return settingsPage(view, { part: 'excluded', children: excludedPanel(site, who) });
    },
  }),
];

interface SiteForm {
  title: string;
  part: SitePart;
  about: Html;
  form: Html;
}

/** A page with a form for a site, which opens in a drawer. */
const siteFormPage = ({
  formOf,
  ...facts
}: Pick<Parameters<typeof sitePage>[0], 'id' | 'path' | 'summary'> & {
  formOf: (
    context: ConsoleRoutesOptions,
    view: SiteView,
    call: HttpCall,
  ) => SiteForm | Promise<SiteForm>;
}) =>
  sitePage({
    ...facts,
    async show(context, view, call) {
      const { site } = view.address;
      const { title, part, about, form: children } = await formOf(context, view, call);
      return formPage({
        section: 'analytics',
        title,
        breadcrumbs: siteBreadcrumbs(site, sitePartPath(part, site)),
        about,
        children,
      });
    },
  });

/** Names of the users who created share links. API keys and deleted users have none. */
async function readCreators(
  users: Pick<ConsoleServices['users'], 'findAll'>,
  shares: readonly ShareView[],
): Promise<Map<string, string>> {
  const ids = new Set(shares.map(({ created_by: by }) => by).filter(isUuid));
  const found = await users.findAll([...ids]);
  return new Map(found.map((user) => [user.id, nameOf(user)]));
}

/** Pages of a site's settings and of forms, for admins. */
const adminPages = [
  sitePage({
    id: 'console.site_shares',
    path: '/api/svc/console/analytics/site/shares',
    summary: 'Console: share links of a site',
    async show({ shares: links, users, clock }, view) {
      const { site } = view.address;
      const shares = await links.listShares(site);
      const creators = await readCreators(users, shares);
      const children = sharesPanel({ shares, site, now: clock.now(), creators });
      return settingsPage(view, { part: 'shares', children, undo: undoRemoval(view) });
    },
  }),
  sitePage({
    id: 'console.site_reports',
    path: '/api/svc/console/analytics/site/reports',
    summary: 'Console: email reports of a site',
    async show({ reports, clock }, view) {
      const { site } = view.address;
      const children = reportsPanel(await reports.listReports(site), site, clock.now());
      return settingsPage(view, { part: 'reports', children, undo: undoRemoval(view) });
    },
  }),
  siteFormPage({
    id: 'console.new_annotation',
    path: '/api/svc/console/analytics/site/annotations/new',
    summary: 'Console: form for a new annotation',
    async formOf({ annotations, clock }, { address }, { signal }) {
      const page = { limit: newestAnnotations, cursor: undefined };
      const { data } = await annotations.listAnnotations(address.site, page, signal);
      return {
        title: texts.site.annotations.add,
        part: 'annotations',
        about: aboutAnnotations(data, address),
        form: newAnnotationForm(address, clock.now()),
      };
    },
  }),
  siteFormPage({
    id: 'console.new_share',
    path: '/api/svc/console/analytics/site/shares/new',
    summary: 'Console: form for a new share link',
    formOf: (_, { address }) => ({
      title: texts.site.shares.add,
      part: 'shares',
      about: aboutShares(),
      form: newShareForm(address),
    }),
  }),
  siteFormPage({
    id: 'console.new_report',
    path: '/api/svc/console/analytics/site/reports/new',
    summary: 'Console: form for new email reports',
    formOf: ({ clock }, { address: { site: id, siteZone } }) => ({
      title: texts.site.reports.add,
      part: 'reports',
      about: aboutReports(siteZone, clock.now()),
      form: newReportForm(id, siteZone),
    }),
  }),
  siteFormPage({
    id: 'console.site_closing',
    path: '/api/svc/console/analytics/site/close',
    summary: 'Console: form that closes a site',
    async formOf({ dashboards }, view, { requester }) {
      const query = toDashboardQuery(defaultParams(view.address), 1);
      return {
        title: texts.site.close.heading,
        part: '',
        about: aboutSite(view, await dashboards.getDashboard(query, requester)),
        form: closingForm(view.address.site),
      };
    },
  }),
  page({
    id: 'console.new_site',
    path: '/api/svc/console/analytics/site/new',
    summary: 'Console: form for a new site',
    show: () =>
      formPage({
        section: 'analytics',
        title: texts.site.add.heading,
        breadcrumbs: [{ href: analyticsPath, text: texts.controls.heading }],
        about: aboutNewSite(),
        children: newSiteForm(),
      }),
  }),
];

const Site = z.object(site);
const toSite = ({ site_id }: { site_id: string }) => sitePartPath('', site_id);

/** Pages and forms that change a site, for admins. */
export const siteForms = [
  ...adminPages,
  form({
    id: 'console.update_site',
    path: '/api/svc/console/analytics/site/settings',
    summary: 'Form: change the settings of a site',
    body: UpdateSiteBody.omit({ closed: true, shields: true }).extend(site),
    read: (values) => ({ hosts: linesOf(values, 'hosts') }),
    run: ({ siteAdmin }, { site_id: id, ...changes }, { by }) =>
      siteAdmin.updateSite(id, changes, by),
    to: toSite,
    done: 'saved',
  }),
  form({
    id: 'console.update_excluded',
    path: '/api/svc/console/analytics/site/excluded',
    summary: 'Form: change what a site excludes',
    body: UpdateSiteBody.pick({ shields: true }).extend(site),
    read: excludedIn,
    run: ({ siteAdmin }, { site_id: id, shields }, { by }) =>
      siteAdmin.updateSite(id, { shields }, by),
    to: ({ site_id }) => sitePartPath('excluded', site_id),
    done: 'saved',
  }),
  form({
    id: 'console.close_site',
    path: '/api/svc/console/analytics/site/close',
    summary: 'Form: close a site',
    body: Site,
    word: ({ site_id: id }) => id,
    run: ({ siteAdmin }, { site_id: id }, { by }) => siteAdmin.updateSite(id, { closed: true }, by),
    to: toSite,
    done: 'closed',
  }),
  form({
    id: 'console.open_site',
    path: '/api/svc/console/analytics/site/open',
    summary: 'Form: reopen a site',
    body: Site,
    run: ({ siteAdmin }, { site_id: id }, { by }) =>
      siteAdmin.updateSite(id, { closed: false }, by),
    to: toSite,
    done: 'opened',
  }),
  form({
    id: 'console.create_site',
    path: '/api/svc/console/analytics/site/register',
    summary: 'Form: register a site',
    body: CreateSiteBody.extend(UpdateSiteBody.pick({ timezone: true }).shape),
    read: (values) => ({ site_id: textOf(values, 'name') }),
    async run({ siteAdmin }, { site_id: id, timezone }, { by }) {
      const { isNew } = await siteAdmin.createSite(id, by);
      if (isNew && timezone !== undefined) await siteAdmin.updateSite(id, { timezone }, by);
    },
    to: ({ site_id }) => withQuery(analyticsPath, { site_id }),
    done: 'registered',
  }),
  ...sharingForms,
];
