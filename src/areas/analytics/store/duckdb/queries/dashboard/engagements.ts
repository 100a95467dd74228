import { dayCondition, rangesWithout, withinAny } from '../../sql/days.ts';
import { depthOfVisit } from '../../sql/engagement-by-day.ts';
import { siteCondition } from '../../sql/site-condition.ts';
import type { DashboardContext } from './context.ts';

const isTopPageEngagement =
  ' AND is_engagement(name) AND pathname IN (SELECT pathname FROM best_pages)';

/** Computes engagement from events alone, when no day has a summary. */
const fromEvents = (rows: string) =>
  `SELECT pathname, sum(ms) AS engaged_ms, avg(depth) AS scroll_depth FROM (
     SELECT pathname, sum(engagement_ms) AS ms, ${depthOfVisit}) AS depth
     FROM (${rows}) GROUP BY pathname, session_id) GROUP BY 1`;

/**
 * Computes engagement from the events of `raw_visitors`: subtracts what the summary of a day has
 * counted of a visit (`before`), and counts the whole visit instead.
 */
const fromRawVisitors = (rows: string) =>
  `SELECT pathname, sum(ms) AS engaged_ms,
     coalesce(sum(depth), 0) - coalesce(sum(before), 0) AS depths,
     count(depth) - count(before) AS measured
   FROM (
     SELECT pathname, sum(engagement_ms) FILTER (rest) AS ms, ${depthOfVisit}) AS depth,
       ${depthOfVisit} AND once AND NOT rest) AS before
     FROM (${rows}) JOIN raw_visitors USING (visitor_id) GROUP BY pathname, session_id)
   GROUP BY 1`;

/** Returns a SELECT of path, visible ms and mean scroll depth per visit for the top pages. */
export function selectEngagements({ selection, query, days }: DashboardContext): string {
  const { siteId, range } = query;
  const columns = 'pathname, session_id, engagement_ms, scroll_depth';
  const summarised = dayCondition(days, 'day');
  if (summarised === undefined)
    return fromEvents(selection.events(columns, range, isTopPageEngagement));
  const isRest = withinAny('ts', rangesWithout(range, days));
  const rows = selection.events(
    `${columns}, visitor_id, ${isRest} AS rest`,
    range,
    `${isTopPageEngagement} AND visitor_id IN (SELECT visitor_id FROM raw_visitors)`,
  );
  return `SELECT pathname, sum(engaged_ms) AS engaged_ms,
      sum(depths) / nullif(sum(measured), 0) AS scroll_depth
    FROM (${fromRawVisitors(rows)}
      UNION ALL SELECT pathname, engaged_ms, depths, measured
      FROM engagement_days SEMI JOIN best_pages USING (pathname)
      WHERE ${siteCondition(siteId)} AND ${summarised})
    GROUP BY 1`;
}
