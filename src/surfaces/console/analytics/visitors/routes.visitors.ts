import { z } from 'zod';
import { minuteMs } from '../../../../lib/durations.ts';
import { readFigures } from '../figures.ts';
import { defaultParams } from '../page-query.ts';
import { sitePage } from '../routes.site-page.ts';
import { livePage } from './live-page.tsx';
import { retentionPage } from './retention-page.tsx';

const windowMs = 30 * minuteMs;
const maxCohorts = 12;
const Unit = z.enum(['day', 'week', 'month']).catch('week');

/** Current visitors of a site, and retention. */
export const visitorPages = [
  sitePage({
    id: 'console.analytics_live',
    path: '/api/svc/console/analytics/realtime',
    summary: 'Console: visitors right now',
    async show(context, { viewer, requested, sites }, { requester: by }) {
      const now = context.clock.now();
      const window = {
        ...defaultParams(requested),
        period: 'custom' as const,
        from: new Date(now - windowMs).toISOString(),
        to: new Date(now + 1000).toISOString(),
      };
      const [{ view }, recent] = await Promise.all([
        readFigures(context, { ...window, compare: undefined }, { now, by }),
        context.dashboards.recentActivity(requested.site, by),
      ]);
      return livePage({ address: requested, sites, view, recent, isAdmin: viewer.isAdmin });
    },
  }),
  sitePage({
    id: 'console.analytics_retention',
    path: '/api/svc/console/analytics/retention',
    summary: 'Console: retention',
    async show({ retention }, { viewer, query, requested, sites, mistakes }, { requester }) {
      const view = await retention.getRetention(
        {
          site_id: requested.site,
          unit: Unit.parse(query.unit),
          timezone: mistakes.length === 0 ? requested.timezone : requested.siteZone,
          cohorts: maxCohorts,
          bots: false,
        },
        requester,
      );
      return retentionPage({ address: requested, sites, view, isAdmin: viewer.isAdmin });
    },
  }),
];
