/**
 * SQL of the deepest scroll of a visit. The caller appends further conditions and the closing `)`.
 * Events without a visit have none.
 */
export const depthOfVisit = 'max(scroll_depth) FILTER (session_id <> 0';

/**
 * Returns a SELECT of site, day, page, visible milliseconds, and scroll depths of visits (sum and
 * count). `rows` have the columns of `events`, their day, and `once`: whether the visitor has
 * events on no other day. Depths count only `once` visitors, whose visits lie within the day.
 */
export const engagementByDay = (rows: string): string =>
  `SELECT site_id, day, pathname, sum(ms)::UBIGINT AS engaged_ms,
     coalesce(sum(depth), 0)::BIGINT AS depths, count(depth)::INTEGER AS measured
   FROM (
     SELECT site_id, day, pathname, sum(engagement_ms) AS ms, ${depthOfVisit} AND once) AS depth
     FROM (${rows}) WHERE is_engagement(name) GROUP BY site_id, day, pathname, session_id)
   GROUP BY site_id, day, pathname`;
