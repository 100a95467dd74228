import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sendPage } from '../../../platform/ui/page-scope.ts';
import { type Requester, requesterOf } from '../../../platform/http/requester.ts';
import type { RetentionView } from '../../../areas/analytics/figures/schemas.retention.ts';
import { livePage } from './analytics-live-page.ts';
import { noSitesPage } from './analytics-page.ts';
import { AnalyticsPageQuery, plainAddress } from './analytics-query.ts';
import { looks } from '../limits.ts';
import { retentionPage } from './retention-page.ts';
import { type AnalyticsSource, askedSite } from './routes.analytics.ts';
import type { ConsoleRoutesOptions } from '../operations/routes.overview.ts';
import { HtmlPage } from '../schemas.ts';

export interface RetentionSource {
  view: (
    question: { site: string; unit: RetentionView['unit']; timezone: string },
    by: Requester,
  ) => Promise<RetentionView>;
}

const RetentionPageQuery = AnalyticsPageQuery.extend({
  unit: z.enum(['day', 'week', 'month']).catch('week'),
});
const windowMs = 30 * 60_000;

/** Who is there now, and who comes back. */
export const visitorRoutes: FastifyPluginAsyncZod<
  ConsoleRoutesOptions & {
    analytics: AnalyticsSource;
    retentionSource: RetentionSource;
    now: () => number;
  }
> = async (app, { consoleLayout, viewerOf, analytics, retentionSource, now }) => {
  app.get(
    '/realtime',
    {
      config: looks,
      schema: {
        operationId: 'console.analytics_live',
        summary: 'Console: visitors right now',
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
      const at = now();
      const { view } = await analytics.view(
        {
          ...plainAddress(asked.address),
          period: 'custom',
          from: new Date(at - windowMs).toISOString(),
          to: new Date(at + 1000).toISOString(),
        },
        by,
      );
      return sendPage(reply, consoleLayout(livePage({ ...asked, view }), viewer));
    },
  );

  app.get(
    '/retention',
    {
      config: looks,
      schema: {
        operationId: 'console.analytics_retention',
        summary: 'Console: who comes back',
        tags: ['pages'],
        hide: true,
        querystring: RetentionPageQuery,
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
      const { site, timezone } = asked.address;
      const view = await retentionSource.view(
        {
          site,
          unit: request.query.unit,
          timezone: analytics.mistakesOf(asked.address).length === 0 ? timezone : 'UTC',
        },
        by,
      );
      return sendPage(reply, consoleLayout(retentionPage({ ...asked, view }), viewer));
    },
  );
};
