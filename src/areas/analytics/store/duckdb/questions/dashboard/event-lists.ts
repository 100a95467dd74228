import type { DashboardQuestion, EventNameRow, PageRow } from '../../../questions.ts';
import { dayCondition, remainder, stretches } from '../../sql/days.ts';
import { engagements } from './engagements.ts';
import { ranked } from './rankings.ts';
import type { Selection } from '../selection.ts';
import { ofSites } from '../../sql/site-condition.ts';
import { integer, type Row, type Session, textOf } from '../../sql/session.ts';

const columns = 'name, pathname, visitor_id, session_id';

/** Visitors or visits among raw rows, without those whose day has counted them already. */
const counted = (id: string) =>
  `count(DISTINCT nullif(${id}, 0)) - count(DISTINCT CASE WHEN once THEN nullif(${id}, 0) END)`;

/** `best_pages`: the pages with most views. */
async function prepareBestPages(
  session: Session,
  { events }: Selection,
  { siteId, range, limit }: DashboardQuestion,
  days: readonly number[],
): Promise<void> {
  const parts = remainder(range, days).map(
    (left) =>
      `SELECT pathname, count(*) AS n FROM (${events('pathname', left, ' AND name = 1')}) GROUP BY 1`,
  );
  const summarised = dayCondition(days, 'day');
  if (summarised !== undefined)
    parts.push(
      `SELECT pathname, sum(pageviews) AS n FROM page_days WHERE ${ofSites(siteId)} AND ${summarised} GROUP BY 1`,
    );
  await session.run(`CREATE OR REPLACE TEMP TABLE best_pages AS SELECT pathname, sum(n) AS pageviews
    FROM (${parts.join(' UNION ALL ')}) GROUP BY 1 QUALIFY rank() OVER (ORDER BY pageviews DESC) <= ${limit}`);
}

/**
 * `raw_visitors`, and SELECT of the events that have to be looked at one by one: those of the rest of the range, and those that regulars, and
 * visitors of the rest, have had on days that have been added up. `once`: the day has counted this visitor.
 */
async function prepareRawEvents(
  session: Session,
  { events }: Selection,
  { siteId, range }: DashboardQuestion,
  days: readonly number[],
): Promise<string> {
  if (days.length === 0)
    return `SELECT *, true AS rest, false AS once FROM (${events(columns, range)})`;
  const rest = remainder(range, days);
  const restRows =
    rest.length === 0
      ? events(columns, range, ' AND false')
      : rest.map((part) => events(columns, part)).join(' UNION ALL ');
  await session.run(`CREATE OR REPLACE TEMP TABLE rest_events AS ${restRows}`);
  await session.run(`CREATE OR REPLACE TEMP TABLE raw_visitors AS SELECT visitor_id, bool_and(once) AS once FROM (
    SELECT visitor_id, false AS once FROM regulars WHERE ${ofSites(siteId)} UNION ALL SELECT 0, false UNION ALL SELECT visitor_id, true FROM rest_events) GROUP BY 1`);
  const summarised = stretches(days)
    .map((stretch) => events(columns, stretch))
    .join(' UNION ALL ');
  await session.run(`CREATE OR REPLACE TEMP TABLE raw_events AS SELECT *, true AS rest, false AS once FROM rest_events UNION ALL
    SELECT e.*, false AS rest, v.once FROM (${summarised}) e JOIN raw_visitors v USING (visitor_id)
    WHERE (name <> 1 AND is_counted(name)) OR (name = 1 AND pathname IN (SELECT pathname FROM best_pages))`);
  return 'FROM raw_events';
}

const decimal = (value: Row[string] | undefined): number | null =>
  value == null ? null : Number(value);

async function pages(
  session: Session,
  selection: Selection,
  raw: string,
  question: DashboardQuestion,
  days: readonly number[],
): Promise<PageRow[]> {
  const { siteId, limit } = question;
  const parts = [
    `SELECT pathname, ${counted('visitor_id')} AS visitors FROM (${raw}) WHERE name = 1 AND pathname IN (SELECT pathname FROM best_pages) GROUP BY 1`,
  ];
  const summarised = dayCondition(days, 'day');
  if (summarised !== undefined)
    parts.push(
      `SELECT pathname, sum(visitors) FROM page_days SEMI JOIN best_pages USING (pathname) WHERE ${ofSites(siteId)} AND ${summarised} GROUP BY 1`,
    );
  const rows =
    await session.rows(`SELECT d.value, any_value(b.pageviews) AS pageviews, sum(v.visitors) AS visitors, any_value(g.engaged_ms) AS engaged_ms, any_value(g.scroll_depth) AS scroll_depth
    FROM best_pages b LEFT JOIN (${parts.join(' UNION ALL ')}) v USING (pathname) LEFT JOIN (${engagements(selection, question, days)}) g USING (pathname) JOIN dict d ON d.id = b.pathname GROUP BY b.pathname, d.value`);
  const entries = rows.map((row): PageRow => {
    const [pageviews, engagedMs] = [integer(row.pageviews), decimal(row.engaged_ms)];
    return {
      value: textOf(row) ?? '',
      visitors: integer(row.visitors),
      pageviews,
      engaged_seconds: engagedMs === null ? null : engagedMs / pageviews / 1000,
      scroll_depth: decimal(row.scroll_depth),
    };
  });
  return ranked(entries, 'pageviews', 'visitors', limit);
}

async function eventNames(
  session: Session,
  raw: string,
  { siteId, limit }: DashboardQuestion,
  days: readonly number[],
  visits: number,
): Promise<EventNameRow[]> {
  const parts = [
    `SELECT name, count(*) FILTER (rest) AS events, ${counted('visitor_id')} AS visitors, ${counted('session_id')} AS sessions FROM (${raw}) WHERE name <> 1 AND is_counted(name) GROUP BY 1`,
  ];
  const summarised = dayCondition(days, 'day');
  if (summarised !== undefined)
    parts.push(
      `SELECT name, sum(events), sum(visitors), sum(sessions) FROM name_days WHERE ${ofSites(siteId)} AND ${summarised} GROUP BY 1`,
    );
  const rows =
    await session.rows(`WITH best AS (SELECT name, sum(events) AS events, sum(visitors) AS visitors, sum(sessions) AS sessions
      FROM (${parts.join(' UNION ALL ')}) GROUP BY 1 QUALIFY rank() OVER (ORDER BY sum(events) DESC, sum(visitors) DESC) <= ${limit})
    SELECT d.value, best.* FROM best JOIN dict d ON d.id = best.name`);
  const entries = rows.map((row) => ({
    value: textOf(row) ?? '',
    visitors: integer(row.visitors),
    events: integer(row.events),
    conversion_rate: visits === 0 ? null : (100 * integer(row.sessions)) / visits,
  }));
  return ranked(entries, 'events', 'visitors', limit);
}

/** The pages with most views and the events that came most often, with their visitors; `visits` of the range for the conversion. */
export async function readEventLists(
  session: Session,
  selection: Selection,
  question: DashboardQuestion,
  days: readonly number[],
  visits: number,
): Promise<{ pages: PageRow[]; events: EventNameRow[] }> {
  await prepareBestPages(session, selection, question, days);
  const raw = await prepareRawEvents(session, selection, question, days);
  return {
    pages: await pages(session, selection, raw, question, days),
    events: await eventNames(session, raw, question, days, visits),
  };
}
