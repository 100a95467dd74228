import type { EventNameRow, PageRow } from '../../../schemas.figures.ts';
import { dayCondition, rangesWithout, rangesOfDays } from '../../sql/days.ts';
import { siteCondition } from '../../sql/site-condition.ts';
import { decimal, integer, type Row, textOf } from '../../sql/values.ts';
import type { DashboardContext } from './context.ts';
import { toConversions } from './conversions.ts';
import { selectEngagements } from './engagements.ts';
import { topRows } from './rankings.ts';

const columns = 'name, pathname, visitor_id, session_id';

/** Counts distinct visitors or visits of raw rows, except those that a summary has counted. */
const distinct = (id: string) =>
  `count(DISTINCT nullif(${id}, 0)) - count(DISTINCT CASE WHEN once THEN nullif(${id}, 0) END)`;

/** Returns `select` restricted to the site and the summarised days; empty without such days. */
function fromSummaries({ query, days }: DashboardContext, select: string): string[] {
  const summarised = dayCondition(days, 'day');
  return summarised === undefined
    ? []
    : [`${select} WHERE ${siteCondition(query.siteId)} AND ${summarised} GROUP BY 1`];
}

/** Creates `best_pages`: the pages with the most views. */
async function prepareTopPages(context: DashboardContext): Promise<void> {
  const { session, selection, query, days } = context;
  const parts = [
    ...rangesWithout(query.range, days).map(
      (part) => `SELECT pathname, count(*) AS n
        FROM (${selection.events('pathname', part, ' AND name = 1')}) GROUP BY 1`,
    ),
    ...fromSummaries(context, 'SELECT pathname, sum(pageviews) AS n FROM page_days'),
  ];
  await session.run(
    `CREATE OR REPLACE TEMP TABLE best_pages AS SELECT pathname, sum(n) AS pageviews
     FROM (${parts.join(' UNION ALL ')}) GROUP BY 1
     QUALIFY rank() OVER (ORDER BY pageviews DESC) <= ${query.limit}`,
  );
}

/**
 * Creates `raw_events` and `raw_visitors`: the events that must be read one by one. These are the
 * events outside the summarised days (`rest`), and the events on summarised days of returning
 * visitors (`regulars`) and of visitors of the rest. `once`: a summary has counted the visitor.
 */
async function prepareRawEvents({
  session,
  selection: { events },
  query: { siteId, range },
  days,
}: DashboardContext): Promise<void> {
  const rest = rangesWithout(range, days);
  const restRows =
    rest.length === 0
      ? events(columns, range, ' AND false')
      : rest.map((part) => events(columns, part)).join(' UNION ALL ');
  await session.run(`CREATE OR REPLACE TEMP TABLE rest_events AS ${restRows}`);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE raw_visitors AS
     SELECT visitor_id, bool_and(once) AS once FROM (
       SELECT visitor_id, false AS once FROM regulars WHERE ${siteCondition(siteId)}
       UNION ALL SELECT 0, false
       UNION ALL SELECT visitor_id, true FROM rest_events)
     GROUP BY 1`,
  );
  const summarised = rangesOfDays(days)
    .map((part) => events(columns, part))
    .join(' UNION ALL ');
  await session.run(
    `CREATE OR REPLACE TEMP TABLE raw_events AS
     SELECT *, true AS rest, false AS once FROM rest_events
     UNION ALL
     SELECT e.*, false AS rest, v.once
     FROM (${summarised}) e JOIN raw_visitors v USING (visitor_id)
     WHERE (name <> 1 AND is_counted(name))
       OR (name = 1 AND pathname IN (SELECT pathname FROM best_pages))`,
  );
}

/** Returns a SELECT of the events that must be read one by one. */
async function selectRawEvents(context: DashboardContext): Promise<string> {
  const { selection, query, days } = context;
  if (days.length === 0)
    return `SELECT *, true AS rest, false AS once
      FROM (${selection.events(columns, query.range)})`;
  await prepareRawEvents(context);
  return 'FROM raw_events';
}

function toPageRow(row: Row, hasGoal: boolean): PageRow {
  const [pageviews, engagedMs] = [integer(row.pageviews), decimal(row.engaged_ms)];
  return {
    value: textOf(row) ?? '',
    visitors: integer(row.visitors),
    pageviews,
    engaged_seconds: engagedMs === null ? null : engagedMs / pageviews / 1000,
    scroll_depth: decimal(row.scroll_depth),
    ...(hasGoal && toConversions(integer(row.conversions), integer(row.visits))),
  };
}

/** Returns SELECTs of page and its visits: `visits`, and `conversions`, those of `reached`. */
function selectPageVisits(context: DashboardContext, raw: string): [string, string] {
  const { selection, query } = context;
  const visits = [
    `SELECT pathname, ${distinct('session_id')} AS visits FROM (${raw})
     WHERE name = 1 AND pathname IN (SELECT pathname FROM best_pages) GROUP BY 1`,
    ...fromSummaries(
      context,
      'SELECT pathname, sum(sessions) FROM page_days SEMI JOIN best_pages USING (pathname)',
    ),
  ];
  const converted = selection.events(
    'pathname, session_id',
    query.range,
    ' AND name = 1 AND session_id IN (SELECT session_id FROM reached)',
  );
  return [
    `SELECT pathname, sum(visits) AS visits FROM (${visits.join(' UNION ALL ')}) GROUP BY 1`,
    `SELECT pathname, count(DISTINCT session_id) AS conversions FROM (${converted}) GROUP BY 1`,
  ];
}

async function readPages(context: DashboardContext, raw: string): Promise<PageRow[]> {
  const visitors = [
    `SELECT pathname, ${distinct('visitor_id')} AS visitors FROM (${raw})
     WHERE name = 1 AND pathname IN (SELECT pathname FROM best_pages) GROUP BY 1`,
    ...fromSummaries(
      context,
      'SELECT pathname, sum(visitors) FROM page_days SEMI JOIN best_pages USING (pathname)',
    ),
  ];
  const hasGoal = context.goal !== undefined;
  const [visits, converted] = selectPageVisits(context, raw);
  const goalColumns = ', any_value(s.visits) AS visits, any_value(c.conversions) AS conversions';
  const goalJoins = `LEFT JOIN (${visits}) s USING (pathname)
     LEFT JOIN (${converted}) c USING (pathname)`;
  const rows = await context.session.rows(
    `SELECT d.value, any_value(b.pageviews) AS pageviews, sum(v.visitors) AS visitors,
       any_value(g.engaged_ms) AS engaged_ms, any_value(g.scroll_depth) AS scroll_depth
       ${hasGoal ? goalColumns : ''}
     FROM best_pages b
     LEFT JOIN (${visitors.join(' UNION ALL ')}) v USING (pathname)
     LEFT JOIN (${selectEngagements(context)}) g USING (pathname)
     ${hasGoal ? goalJoins : ''}
     JOIN dict d ON d.id = b.pathname
     GROUP BY b.pathname, d.value`,
  );
  const pages = rows.map((row) => toPageRow(row, hasGoal));
  return topRows(pages, 'pageviews', 'visitors', context.query.limit);
}

async function readEventNames(
  context: DashboardContext,
  raw: string,
  visits: number,
): Promise<EventNameRow[]> {
  const { limit } = context.query;
  const parts = [
    `SELECT name, count(*) FILTER (rest) AS events, ${distinct('visitor_id')} AS visitors,
       ${distinct('session_id')} AS sessions
     FROM (${raw}) WHERE name <> 1 AND is_counted(name) GROUP BY 1`,
    ...fromSummaries(
      context,
      'SELECT name, sum(events), sum(visitors), sum(sessions) FROM name_days',
    ),
  ];
  const rows = await context.session.rows(
    `WITH best AS (
       SELECT name, sum(events) AS events, sum(visitors) AS visitors, sum(sessions) AS sessions
       FROM (${parts.join(' UNION ALL ')}) GROUP BY 1
       QUALIFY rank() OVER (ORDER BY sum(events) DESC, sum(visitors) DESC) <= ${limit})
     SELECT d.value, best.* FROM best JOIN dict d ON d.id = best.name`,
  );
  const entries = rows.map((row) => ({
    value: textOf(row) ?? '',
    visitors: integer(row.visitors),
    events: integer(row.events),
    conversion_rate: visits === 0 ? null : (100 * integer(row.sessions)) / visits,
  }));
  return topRows(entries, 'events', 'visitors', limit);
}

/** Reads the top pages and events. `visits` is the base of the conversion rates. */
export async function readEventLists(
  context: DashboardContext,
  visits: number,
): Promise<{ pages: PageRow[]; events: EventNameRow[] }> {
  await prepareTopPages(context);
  const raw = await selectRawEvents(context);
  return {
    pages: await readPages(context, raw),
    events: await readEventNames(context, raw, visits),
  };
}
