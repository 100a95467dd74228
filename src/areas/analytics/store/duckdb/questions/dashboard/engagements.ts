import type { DashboardQuestion } from '../../../questions.ts';
import { dayCondition, remainder, withinAny } from '../../sql/days.ts';
import type { Selection } from '../selection.ts';
import { ofSites } from '../../sql/site-condition.ts';

// Events of nobody's visit have no visit to look for the deepest in.
const depthOfVisit = 'max(scroll_depth) FILTER (session_id <> 0';

/**
 * SELECT of site, day, page, time, and the depths of visits (their sum, and of how many) from rows with the same columns as
 * `events`, their day, and whether the visitor comes on no other day (`once`): only of those a visit lies within the day.
 */
export const engagementByDay = (
  rows: string,
): string => `SELECT site_id, day, pathname, sum(ms)::UBIGINT AS engaged_ms, coalesce(sum(depth), 0)::BIGINT AS depths, count(depth)::INTEGER AS measured FROM (
  SELECT site_id, day, pathname, sum(engagement_ms) AS ms, ${depthOfVisit} AND once) AS depth FROM (${rows}) WHERE is_engagement(name) GROUP BY site_id, day, pathname, session_id) GROUP BY site_id, day, pathname`;

/** Every event by itself: as much as all of them, where no day has been added up. */
const fromEvents = (
  rows: string,
) => `SELECT pathname, sum(ms) AS engaged_ms, avg(depth) AS scroll_depth FROM (
  SELECT pathname, sum(engagement_ms) AS ms, ${depthOfVisit}) AS depth FROM (${rows}) GROUP BY pathname, session_id) GROUP BY 1`;

/**
 * SELECT of the engagement with the best pages: path, milliseconds, mean depth of visits. Of days that have been added up
 * it looks only at the `raw_visitors`: what their day has counted of a visit (`before`) is taken away, and the visit counted whole.
 */
export function engagements(
  { events }: Selection,
  { siteId, range }: DashboardQuestion,
  days: readonly number[],
): string {
  const ofBestPages = 'is_engagement(name) AND pathname IN (SELECT pathname FROM best_pages)';
  const summarised = dayCondition(days, 'day');
  if (summarised === undefined)
    return fromEvents(
      events('pathname, session_id, engagement_ms, scroll_depth', range, ` AND ${ofBestPages}`),
    );
  const rest = withinAny('ts', remainder(range, days));
  const rows = events(
    `pathname, visitor_id, session_id, engagement_ms, scroll_depth, ${rest} AS rest`,
    range,
    ` AND ${ofBestPages} AND visitor_id IN (SELECT visitor_id FROM raw_visitors)`,
  );
  return `SELECT pathname, sum(engaged_ms) AS engaged_ms, sum(depths) / nullif(sum(measured), 0) AS scroll_depth FROM (
    SELECT pathname, sum(ms) AS engaged_ms, coalesce(sum(depth), 0) - coalesce(sum(before), 0) AS depths, count(depth) - count(before) AS measured FROM (
      SELECT pathname, sum(engagement_ms) FILTER (rest) AS ms, ${depthOfVisit}) AS depth, ${depthOfVisit} AND once AND NOT rest) AS before
      FROM (${rows}) JOIN raw_visitors USING (visitor_id) GROUP BY pathname, session_id) GROUP BY 1
    UNION ALL SELECT pathname, engaged_ms, depths, measured FROM engagement_days SEMI JOIN best_pages USING (pathname) WHERE ${ofSites(siteId)} AND ${summarised}) GROUP BY 1`;
}
