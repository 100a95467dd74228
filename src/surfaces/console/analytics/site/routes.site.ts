import { CreateSiteBody, UpdateSiteBody } from '../../../../areas/analytics/sites/schemas.ts';
import { z } from 'zod';
import { withQuery } from '../../components/navigation.tsx';
import { type FormValues, textOf } from '../../forms.ts';
import { form } from '../../routes.forms.ts';
import { defaultParams } from '../page-query.ts';
import { site, sitePage } from '../routes.site-page.ts';
import { sharingForms } from './routes.sharing.ts';
import { sitePage as settingsPage } from './site-page.tsx';
import { sitePath } from './site-path.ts';

const maxAnnotations = 100;

/** The settings of a site, for everybody with a role; links and reports are for admins. */
export const siteSettingsPage = sitePage({
  id: 'console.site',
  path: '/api/svc/console/analytics/site',
  summary: 'Console: settings of a site',
  async show(context, { query, requested, sites }, { request, signal }) {
    const viewer = context.viewerOf(request);
    const { site: id } = requested;
    const [annotations, shares, reports] = await Promise.all([
      context.annotations.listAnnotations(id, { limit: maxAnnotations, cursor: undefined }, signal),
      viewer.isAdmin ? context.shares.listShares(id) : undefined,
      viewer.isAdmin ? context.reports.listReports(id) : undefined,
    ]);
    const view = {
      address: defaultParams(requested),
      sites,
      site: context.siteAdmin.getSite(id),
      annotations: annotations.data,
      shares,
      reports,
      origin: context.baseOrigin,
      query,
    };
    return settingsPage(view, viewer);
  },
});

const Site = z.object(site);
const toSite = ({ site_id }: { site_id: string }) => withQuery(sitePath, { site_id });
const linesOf = (values: FormValues, name: string): string[] =>
  (textOf(values, name) ?? '').split(/[\s,]+/).filter((line) => line !== '');

/** Forms that change a site, for admins. */
export const siteForms = [
  form({
    id: 'console.update_site',
    path: '/api/svc/console/analytics/site/settings',
    summary: 'Form: change the settings of a site',
    body: UpdateSiteBody.omit({ closed: true }).extend(site),
    read: (values) => ({
      hosts: linesOf(values, 'hosts'),
      shields: {
        ips: linesOf(values, 'shields.ips'),
        countries: linesOf(values, 'shields.countries').map((code) => code.toUpperCase()),
        pages: linesOf(values, 'shields.pages'),
      },
    }),
    run: ({ siteAdmin }, { site_id: id, ...changes }, { by }) =>
      siteAdmin.updateSite(id, changes, by),
    to: toSite,
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
    body: CreateSiteBody,
    read: (values) => ({ site_id: textOf(values, 'name') }),
    run: ({ siteAdmin }, { site_id: id }, { by }) => siteAdmin.createSite(id, by),
    to: toSite,
    done: 'registered',
  }),
  ...sharingForms,
];
