import { readFigures } from '../figures.ts';
import { AnalyticsListQuery, readParams, skipOf } from '../page-query.ts';
import { page } from '../../routes.pages.ts';
import { sitePage } from '../routes.site-page.ts';
import { viewUrl } from '../view-params.ts';
import { breakdownPage, maxRows } from './breakdown-page.tsx';
import { dashboardPage } from './dashboard-page.tsx';

const maxAnnotations = 100;

/** The dashboard of a site. */
export const dashboardPages = [
  sitePage({
    id: 'console.analytics',
    path: '/api/svc/console/analytics',
    summary: 'Console: site dashboard',
    async show(context, { query, requested, address, sites, mistakes }, { requester, reply }) {
      // The form that adds a filter leads to the address with the filter in it.
      if (query.dimension !== undefined) return reply.redirect(viewUrl(requested), 303);
      const { view, before } = await readFigures(context, address, requester);
      const { from, to } = view.period;
      const { data: annotations } = await context.annotations.listAnnotations(
        address.site,
        { from, to, limit: maxAnnotations, cursor: undefined },
        requester.signal,
      );
      return dashboardPage({ address, sites, view, before, annotations, mistakes });
    },
  }),
  page({
    id: 'console.analytics_list',
    path: '/api/svc/console/analytics/list',
    summary: 'Console: all rows of a list',
    query: AnalyticsListQuery,
    async show(context, query, { requester }) {
      const address = readParams(query, query.site_id ?? '');
      const all = { ...address, compare: undefined };
      const { view } = await readFigures(context, all, requester, maxRows);
      return breakdownPage({ address, name: query.list, view, skip: skipOf(query) });
    },
  }),
];
