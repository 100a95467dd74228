import { DateTime } from 'luxon';
import type { Clock } from '../../lib/clock.ts';
import type { DashboardAnswer, Totals } from '../../platform/events/questions.ts';
import { analyticsErrors } from './errors.ts';
import { EventStoreError } from './event-thread.ts';
import { filtersOf } from './filters.ts';
import { periodQuestionOf, resolvedPeriodOf } from './period-query.ts';
import type { PeriodQuestion } from './periods.ts';
import type { DashboardQuery, DashboardView } from './schemas.dashboard.ts';
import type { Sites } from './sites.ts';
import type { SupervisedThread } from './supervised-thread.ts';

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

/** Says what kind of refusal an error of the event store is. The store itself names a pattern that it can't read. */
export function storeRefusal(cause: unknown): unknown {
  if (!(cause instanceof EventStoreError)) return cause;
  return cause.message.includes('not a regular expression') ? analyticsErrors.bad_pattern({ cause }) : analyticsErrors.store_failed({ cause });
}

/** The figures of a site. */
export function createDashboards({ thread, sites, clock }: { thread: SupervisedThread; sites: Sites; clock: Clock }) {
  async function ask(question: Parameters<SupervisedThread['dashboard']>[0]): Promise<DashboardAnswer> {
    try {
      return await thread.dashboard(question);
    } catch (cause) {
      throw storeRefusal(cause);
    }
  }

  return {
    periodQuestion: (query: DashboardQuery): PeriodQuestion => periodQuestionOf(query, clock.now()),

    /** Throws RequestValidationError when the period can't be resolved. */
    async view(query: DashboardQuery): Promise<DashboardView> {
      const now = clock.now();
      const { range, compare, interval, buckets } = resolvedPeriodOf(query, now);
      const site = sites.peek(query.site_id);
      if (site === undefined) throw analyticsErrors.site_unknown();
      const answer = await ask({
        siteId: site.id, range, compare, buckets, filters: filtersOf(query.filter), bots: query.bots, limit: query.limit, now,
      });
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
    async sites() {
      const stats = await thread.siteStats().catch((cause: unknown) => {
        throw storeRefusal(cause);
      });
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
