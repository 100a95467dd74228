import type { SiteFigures } from '../../../queries.ts';
import { integer } from '../../sql/values.ts';
import type { DashboardContext } from './context.ts';

/**
 * Reads what each of several sites contributes to the totals. Every visitor belongs to one site, so
 * visitors of sites can be added up.
 */
export async function readSiteFigures({
  session,
  selection: { visits, events },
  query: { siteId, range },
}: DashboardContext): Promise<SiteFigures[]> {
  if (typeof siteId === 'number') return [];
  const rows = await session.rows(
    `SELECT site_id, sum(visitors) AS visitors, sum(visits) AS visits,
       sum(pageviews) AS pageviews, sum(n) AS events
     FROM (
       SELECT site_id, count(DISTINCT visitor_id) AS visitors, count(*) AS visits,
         0 AS pageviews, 0 AS n
       FROM (${visits('site_id, visitor_id', range)}) GROUP BY 1
       UNION ALL
       SELECT site_id, 0, 0, count(*) FILTER (name = 1), count(*) FILTER (is_counted(name))
       FROM (${events('site_id, name', range)}) GROUP BY 1)
     GROUP BY 1`,
  );
  return rows.map((row) => ({
    siteId: integer(row.site_id),
    visitors: integer(row.visitors),
    visits: integer(row.visits),
    pageviews: integer(row.pageviews),
    events: integer(row.events),
  }));
}
