import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { HttpCall } from '../../../platform/operations/call.ts';
import type { ConsolePage } from '../layout.tsx';
import type { ConsoleRoute, ConsoleRoutesOptions } from '../request-context.ts';
import { page, type RouteFacts } from '../routes.pages.ts';
import { mistakesIn } from './figures.ts';
import { noSitesPage } from './no-sites-page.tsx';
import { AnalyticsPageQuery, defaultParams } from './page-query.ts';
import { type RequestedSite, readRequestedSite } from './requested-site.ts';
import type { Viewer } from '../viewer.ts';
import type { ViewParams } from './view-params.ts';

/** The member of a form that names the site. */
export const site = { site_id: z.string().default('') };

export interface SiteView extends Omit<RequestedSite, 'address'> {
  viewer: Viewer;
  query: AnalyticsPageQuery;
  /** The view as it was asked for. */
  requested: ViewParams;
  /** The same, or the default one if `requested` has mistakes. */
  address: ViewParams;
  mistakes: readonly string[];
}

interface SitePageSpec extends RouteFacts<undefined> {
  show: (
    context: ConsoleRoutesOptions,
    view: SiteView,
    call: HttpCall,
  ) => ConsolePage | FastifyReply | Promise<ConsolePage | FastifyReply>;
}

/** A page about a site: the one in its query, else the busiest. Without any: how to begin. */
export const sitePage = ({ show, ...facts }: SitePageSpec): ConsoleRoute =>
  page({
    ...facts,
    query: AnalyticsPageQuery,
    async show(context, query, call) {
      const found = await readRequestedSite(context, query, call.requester);
      const viewer = context.viewerOf(call.request);
      if (found === undefined) return noSitesPage(context.baseOrigin, viewer.isAdmin);
      const { sites, address: requested } = found;
      const mistakes = mistakesIn(requested, context.clock.now());
      const address = mistakes.length === 0 ? requested : defaultParams(requested);
      return show(context, { viewer, query, sites, requested, address, mistakes }, call);
    },
  });
