import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requesterOf } from '../../../../platform/http/requests/requester.ts';
import { type ConsoleRoutesOptions, type ConsoleScope, redirectTo } from '../../request-context.ts';
import { innerPage } from '../../route-options.ts';
import { viewUrl } from '../view-params.ts';
import { breakdownPage, maxRows } from './breakdown-page.tsx';
import { dashboardPage } from './dashboard-page.tsx';
import {
  AnalyticsListQuery,
  AnalyticsPageQuery,
  defaultParams,
  readParams,
  skipOf,
} from '../page-query.ts';
import { mistakesIn, readFigures } from '../figures.ts';
import { noSitesPage } from '../no-sites-page.tsx';
import { readRequestedSite } from '../requested-site.ts';

const maxAnnotations = 100;

function dashboardRoute(
  app: ConsoleScope,
  { baseOrigin, clock, services, viewerOf, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/analytics',
    innerPage('console.analytics', 'Console: figures of a site', {
      querystring: AnalyticsPageQuery,
    }),
    async (request, reply) => {
      const by = requesterOf(request, reply);
      const requested = await readRequestedSite(services, request.query, by);
      if (requested === undefined)
        return send(reply, noSitesPage(baseOrigin, viewerOf(request).isAdmin));
      const { sites } = requested;
      // The form that adds a filter leads to the address with the filter in it.
      if (request.query.dimension !== undefined)
        return redirectTo(reply, viewUrl(requested.address));
      const mistakes = mistakesIn(requested.address, clock.now());
      const address = mistakes.length === 0 ? requested.address : defaultParams(requested.address);
      const { view, before } = await readFigures(services, address, by);
      const { from, to } = view.period;
      const { data: annotations } = await services.annotations.listAnnotations(
        address.site,
        { from, to, limit: maxAnnotations, cursor: undefined },
        by.signal,
      );
      return send(reply, dashboardPage({ address, sites, view, before, annotations, mistakes }));
    },
  );
}

function listRoute(app: ConsoleScope, { services, send }: ConsoleRoutesOptions): void {
  app.get(
    '/api/svc/console/analytics/list',
    innerPage('console.analytics_list', 'Console: all rows of a list', {
      querystring: AnalyticsListQuery,
    }),
    async (request, reply) => {
      const { list: name, site_id: site = '' } = request.query;
      const address = readParams(request.query, site);
      const { view } = await readFigures(
        services,
        { ...address, compare: undefined },
        requesterOf(request, reply),
        maxRows,
      );
      return send(reply, breakdownPage({ address, name, view, skip: skipOf(request.query) }));
    },
  );
}

/** The dashboard of a site. */
export const dashboardRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (
  app,
  options,
) => {
  dashboardRoute(app, options);
  listRoute(app, options);
};
