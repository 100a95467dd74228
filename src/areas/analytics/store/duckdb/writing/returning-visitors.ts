import type { DuckDBConnection } from '@duckdb/node-api';
import { countVisits } from '../sql/breakdown-kinds.ts';
import { engagementByDay } from '../sql/engagement-by-day.ts';
import { dayKeys, dayOf, type SummaryDays, visitsWithDay } from './summary-days.ts';

/** Creates `fresh`: visitors of these days with events on several days, not in `regulars` yet. */
async function prepareFresh(
  connection: DuckDBConnection,
  { within, chosen, list }: SummaryDays,
): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE fresh AS
     WITH seen AS (
       SELECT DISTINCT site_id, visitor_id FROM events
       WHERE ${within('ts')} AND ${chosen(dayOf('ts'))})
     SELECT site_id, visitor_id
     FROM events SEMI JOIN seen USING (site_id, visitor_id)
     ANTI JOIN regulars USING (site_id, visitor_id)
     GROUP BY ALL HAVING ${dayOf('min(ts)')} <> ${dayOf('max(ts)')}`,
    [list],
  );
}

/** Subtracts the visits of `fresh` visitors from the summaries that counted them. */
async function uncountVisits(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE counted_before AS
     SELECT * FROM (${visitsWithDay('true')}) SEMI JOIN fresh USING (site_id, visitor_id)
     WHERE day IN (SELECT day FROM summarised_days)`,
  );
  const counted = countVisits('FROM counted_before', 'count(DISTINCT visitor_id)', dayKeys);
  await connection.run(
    `INSERT INTO visit_days SELECT site_id, day, kind, value, 0, 0, -persons FROM (${counted})`,
  );
}

/** Subtracts the events of `fresh` visitors from the summaries that counted them. */
async function uncountEvents(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE events_before AS
     SELECT site_id, ${dayOf('ts')} AS day, name, pathname, visitor_id, session_id, scroll_depth
     FROM events SEMI JOIN fresh USING (site_id, visitor_id)
     WHERE NOT bot AND visitor_id <> 0 AND ${dayOf('ts')} IN (SELECT day FROM summarised_days)`,
  );
  await connection.run(
    `INSERT INTO page_days SELECT site_id, day, pathname, 0,
       -count(DISTINCT visitor_id), -count(DISTINCT nullif(session_id, 0))
     FROM events_before WHERE name = 1 GROUP BY ALL`,
  );
  await connection.run(
    `INSERT INTO name_days SELECT site_id, day, name, 0,
       -count(DISTINCT visitor_id), -count(DISTINCT nullif(session_id, 0))
     FROM events_before WHERE name <> 1 AND is_counted(name) GROUP BY ALL`,
  );
  const engagement = engagementByDay(
    'SELECT *, NULL::UINTEGER AS engagement_ms, true AS once FROM events_before',
  );
  await connection.run(
    `INSERT INTO engagement_days
     SELECT site_id, day, pathname, NULL, -depths, -measured FROM (${engagement})`,
  );
}

/**
 * Adds visitors with events on more than one day to `regulars`. Visitors of a single day can be
 * added up over days. Regulars can't be: queries count them from `visits`, and a visitor who
 * becomes a regular is subtracted from the days that counted them.
 */
export async function findReturningVisitors(
  connection: DuckDBConnection,
  days: SummaryDays,
): Promise<void> {
  await prepareFresh(connection, days);
  await uncountVisits(connection);
  await uncountEvents(connection);
  await connection.run('INSERT INTO regulars FROM fresh');
}
