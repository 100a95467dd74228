import type { ConsoleRoutesOptions } from '../../request-context.ts';
import { page } from '../../routes.pages.ts';
import { readFigures } from '../figures.ts';
import { AnalyticsListQuery, skipOf } from '../page-query.ts';
import { readView } from '../requested-site.ts';
import { sitePage, type SiteView } from '../routes.site-page.ts';
import { waitingPage } from '../site/waiting-page.tsx';
import { viewUrl, type ViewParams } from '../view-params.ts';
import { breakdownPage, maxRows } from './breakdown-page.tsx';
import { rowsRead } from './breakdowns.tsx';
import { dashboardPage } from './dashboard-page.tsx';

const maxAnnotations = 100;

/** Whether a site has no event yet. */
const isNew = ({ sites, address }: SiteView): boolean =>
  sites.find(({ site_id: id }) => id === address.site)?.last_event_at === null;

/** The view without a goal that the site does not have. */
async function readGoals({ goals }: ConsoleRoutesOptions, requested: ViewParams) {
  const all = await goals.listGoals(requested.site);
  const isKnown = all.some(({ id }) => id === requested.goal);
  return { goals: all, address: isKnown ? requested : { ...requested, goal: undefined } };
}

/** The dashboard of a site. */
export const dashboardPages = [
  sitePage({
    id: 'console.analytics',
    path: '/api/svc/console/analytics',
    summary: 'Console: site dashboard',
    async show(context, site, { requester: by, reply }) {
      // The form that adds a filter leads to the address with the filter in it.
      if (site.query.dimension !== undefined) return reply.redirect(viewUrl(site.requested), 303);
      if (isNew(site)) return waitingPage(site, context.baseOrigin);
      const { goals, address } = await readGoals(context, site.address);
      const now = context.clock.now();
      const [figures, [funnel]] = await Promise.all([
        readFigures(context, address, { now, by, limit: rowsRead }),
        context.funnels.listFunnels(address.site),
      ]);
      const { from, to } = figures.view.period;
      const { data: annotations } = await context.annotations.listAnnotations(
        address.site,
        { from, to, limit: maxAnnotations, cursor: undefined },
        by.signal,
      );
      return dashboardPage({ ...site, address, goals, annotations, ...figures, funnel });
    },
  }),
  page({
    id: 'console.analytics_list',
    path: '/api/svc/console/analytics/list',
    summary: 'Console: all rows of a list',
    query: AnalyticsListQuery,
    async show(context, query, { requester: by, request }) {
      const requested = readView(context, query, query.site_id ?? '');
      const [{ address, goals }, sites] = await Promise.all([
        readGoals(context, requested),
        context.dashboards.sites(by),
      ]);
      const { view } = await readFigures(
        context,
        { ...address, compare: undefined },
        { now: context.clock.now(), by, limit: maxRows },
      );
      const { list: name, q: search = '', sort } = query;
      const { isAdmin } = context.viewerOf(request);
      return breakdownPage({
        address,
        sites,
        goals,
        isAdmin,
        name,
        view,
        sort,
        search: search.trim(),
        skip: skipOf(query),
      });
    },
  }),
];
