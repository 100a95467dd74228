import { DateTime } from 'luxon';
import type { Clock } from '../../../lib/clock.ts';
import type { Requester } from '../../../platform/http/requests/requester.ts';
import { parseFilters } from './filters.ts';
import { bucketStarts } from './periods/periods.ts';
import type { RetentionQuery, RetentionView } from './schemas.retention.ts';
import { requireSite, type Sites } from '../sites/sites.ts';
import type { AnalyticsQueries } from './queries.ts';

/** Returns the starts of the last units, including that of `now`, and its end (Unix ms). */
function unitsUpTo(
  now: number,
  { unit, cohorts, timezone }: Pick<RetentionQuery, 'unit' | 'cohorts' | 'timezone'>,
): { starts: number[]; end: number } {
  const current = DateTime.fromMillis(now, { zone: timezone }).startOf(unit);
  const beyond = current.plus({ [`${unit}s`]: 1 }).plus({ hours: 12 });
  const starts = bucketStarts(current.minus({ [`${unit}s`]: cohorts - 1 }), beyond, unit);
  const end = starts.pop() ?? now;
  return { starts, end };
}

const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((1000 * part) / whole) / 10;

/** Reads how many people return. */
export function createRetention({
  queries,
  sites,
  clock,
}: {
  queries: Pick<AnalyticsQueries, 'retention'>;
  sites: Pick<Sites, 'peek'>;
  clock: Clock;
}) {
  return {
    /** Throws `analytics.site_unknown`, `.bad_pattern`, `.store_failed`. */
    async getRetention(query: RetentionQuery, by: Requester): Promise<RetentionView> {
      const { unit, timezone, filter, bots } = query;
      const site = requireSite(sites, query.site_id);
      const now = clock.now();
      const { starts, end } = unitsUpTo(now, query);
      const { counts } = await queries.retention(
        { siteId: site.id, starts, end, filters: parseFilters(filter), bots },
        by,
      );
      const cohorts = counts.map((visitors, index) => {
        const size = visitors[0] ?? 0;
        const start = DateTime.fromMillis(starts[index] ?? 0, { zone: timezone }).toISO() ?? '';
        return {
          start,
          size,
          visitors,
          partial: now < end,
          returned: visitors.map((count) => percent(count, size)),
        };
      });
      return { site_id: site.key, unit, timezone, persons: 'named', cohorts };
    },
  };
}
