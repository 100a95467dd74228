import { DateTime } from 'luxon';
import type { Clock } from '../../lib/clock.ts';
import type { Totals } from '../../platform/events/questions.ts';
import type { Questioner } from '../../platform/questioner.ts';
import { analyticsErrors } from './errors.ts';
import { filtersOf } from './filters.ts';
import { periodQuestionOf, resolvedPeriodOf } from './period-query.ts';
import type { PeriodQuestion } from './periods.ts';
import type { AnalyticsQuestions } from './questions.ts';
import type { DashboardQuery, DashboardView } from './schemas.dashboard.ts';
import type { Sites } from './sites.ts';

const measures = ['visitors', 'visits', 'pageviews', 'events', 'bounce_rate', 'visit_duration_mean', 'visit_duration_median', 'views_per_visit'] as const;

/** Change in per cent; null where there is nothing to compare with. */
export function changeOf(now: Totals, before: Totals | undefined): Record<(typeof measures)[number], number | null> | null {
  if (before === undefined) return null;
  const change = measures.map((name) => {
    const [current, former] = [now[name], before[name]];
    return [name, current === null || former === null || former === 0 ? null : (100 * (current - former)) / former] as const;
  });
  return Object.fromEntries(change) as Record<(typeof measures)[number], number | null>;
}

/** The figures of a site. */
export function createDashboards({ questions, sites, clock }: { questions: Pick<AnalyticsQuestions, 'dashboard' | 'siteStats'>; sites: Sites; clock: Clock }) {
  return {
    periodQuestion: (query: DashboardQuery): PeriodQuestion => periodQuestionOf(query, clock.now()),

    /** Throws RequestValidationError when the period can't be resolved, `analytics.site_unknown`, and what `questions` throws. */
    async view(query: DashboardQuery, by: Questioner): Promise<DashboardView> {
      const now = clock.now();
      const { range, compare, interval, buckets } = resolvedPeriodOf(query, now);
      const site = sites.peek(query.site_id);
      if (site === undefined) throw analyticsErrors.site_unknown();
      const answer = await questions.dashboard({
        siteId: site.id, range, compare, buckets, filters: filtersOf(query.filter), bots: query.bots, limit: query.limit, now,
      }, by);
      const iso = (ms: number) => DateTime.fromMillis(ms, { zone: query.timezone }).toISO() ?? '';
      return {
        site_id: site.key,
        period: { name: query.period, from: iso(range.from), to: iso(range.to), timezone: query.timezone, interval },
        totals: answer.totals,
        compared: compare === undefined || answer.compared === undefined ? null : { from: iso(compare.from), to: iso(compare.to), totals: answer.compared },
        change: changeOf(answer.totals, answer.compared),
        series: answer.series.map((point, index) => ({ start: iso(buckets[index] ?? range.from), ...point })),
        visitors_now: answer.visitors_now,
        pages: answer.pages,
        events: answer.events,
        ...answer.breakdowns,
        left_out: { bot_events: answer.bot_events, dropped: answer.dropped },
      };
    },

    /** Sites with how many events they have. */
    async sites(by: Questioner) {
      const stats = await questions.siteStats(by);
      return sites.list().map((site) => {
        const found = stats.find(({ siteId }) => siteId === site.id);
        return {
          site_id: site.key,
          created_at: site.createdAt.toISOString(),
          events: found?.events ?? 0,
          last_event_at: found === undefined ? null : new Date(found.lastEventAt).toISOString(),
        };
      });
    },
  };
}

export type Dashboards = ReturnType<typeof createDashboards>;
