import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { minuteMs } from '../../../../lib/durations.ts';
import { requesterOf } from '../../../../platform/http/requests/requester.ts';
import type { ConsoleRoutesOptions, ConsoleScope } from '../../request-context.ts';
import { innerPage } from '../../route-options.ts';
import { livePage } from './live-page.tsx';
import { AnalyticsPageQuery, defaultParams } from '../page-query.ts';
import { mistakesIn, readFigures } from '../figures.ts';
import { noSitesPage } from '../no-sites-page.tsx';
import { readRequestedSite } from '../requested-site.ts';
import { retentionPage } from './retention-page.tsx';

const windowMs = 30 * minuteMs;
const maxCohorts = 12;

const RetentionPageQuery = AnalyticsPageQuery.extend({
  unit: z.enum(['day', 'week', 'month']).catch('week'),
});

function liveRoute(
  app: ConsoleScope,
  { baseOrigin, clock, services, viewerOf, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/analytics/realtime',
    innerPage('console.analytics_live', 'Console: visitors right now', {
      querystring: AnalyticsPageQuery,
    }),
    async (request, reply) => {
      const by = requesterOf(request, reply);
      const requested = await readRequestedSite(services, request.query, by);
      if (requested === undefined)
        return send(reply, noSitesPage(baseOrigin, viewerOf(request).isAdmin));
      const now = clock.now();
      const address = {
        ...defaultParams(requested.address),
        period: 'custom' as const,
        from: new Date(now - windowMs).toISOString(),
        to: new Date(now + 1000).toISOString(),
      };
      const { view } = await readFigures(services, address, by);
      return send(reply, livePage({ ...requested, view }));
    },
  );
}

function retentionRoute(
  app: ConsoleScope,
  { baseOrigin, clock, services, viewerOf, send }: ConsoleRoutesOptions,
): void {
  app.get(
    '/api/svc/console/analytics/retention',
    innerPage('console.analytics_retention', 'Console: who comes back', {
      querystring: RetentionPageQuery,
    }),
    async (request, reply) => {
      const by = requesterOf(request, reply);
      const requested = await readRequestedSite(services, request.query, by);
      if (requested === undefined)
        return send(reply, noSitesPage(baseOrigin, viewerOf(request).isAdmin));
      const { address } = requested;
      const isValid = mistakesIn(address, clock.now()).length === 0;
      const view = await services.retention.getRetention(
        {
          site_id: address.site,
          unit: request.query.unit,
          timezone: isValid ? address.timezone : 'UTC',
          cohorts: maxCohorts,
          bots: false,
        },
        by,
      );
      return send(reply, retentionPage({ ...requested, view }));
    },
  );
}

/** Current visitors of a site, and retention. */
export const visitorRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  liveRoute(app, options);
  retentionRoute(app, options);
};
