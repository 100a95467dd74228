import type { DuckDBConnection } from '@duckdb/node-api';
import { listValue } from '@duckdb/node-api';
import { dayMs } from '../../../../../lib/durations.ts';
import { countVisits, visitSeconds } from '../sql/breakdown-kinds.ts';
import { engagementByDay } from '../sql/engagement-by-day.ts';
import { integer, timeLiteral } from '../sql/values.ts';
import { findReturningVisitors } from './returning-visitors.ts';
import { dayKeys, dayOf, type SummaryDays, slotOf, visitsWithDay } from './summary-days.ts';

/** Maximum number of days that one transaction summarises. */
const daysAtOnce = 31;

/** Summary tables, each with the SQL of the day of a row. */
const summaryTables = [
  ['visit_days', 'day'],
  ['visit_slots', dayOf('slot')],
  ['event_slots', dayOf('slot')],
  ['page_days', 'day'],
  ['name_days', 'day'],
  ['engagement_days', 'day'],
  ['repeat_starts', 'day'],
] as const;

/** Marks the days of these times (Unix ms) as not summarised, since their rows have changed. */
export async function invalidateSummaries(
  connection: DuckDBConnection,
  times: readonly number[],
): Promise<void> {
  const days = [...new Set(times.map((ms) => Math.floor(ms / dayMs)))];
  if (days.length === 0) return;
  await connection.run('DELETE FROM summarised_days WHERE day IN (SELECT unnest($1::INTEGER[]))', [
    listValue(days),
  ]);
}

/** Invalidates the days of events that arrived on a later day. */
export async function invalidateLateDays(
  connection: DuckDBConnection,
  rows: readonly { time: number; receivedAt: number }[],
): Promise<void> {
  const late = rows.filter(
    ({ time, receivedAt }) => Math.floor(time / dayMs) < Math.floor(receivedAt / dayMs),
  );
  await invalidateSummaries(
    connection,
    late.map(({ time }) => time),
  );
}

function summaryDays(days: readonly number[], first: number, last: number): SummaryDays {
  const [from, to] = [timeLiteral(first * dayMs), timeLiteral((last + 1) * dayMs)];
  return {
    within: (column) => `${column} >= ${from} AND ${column} < ${to}`,
    chosen: (column) => `${column} IN (SELECT unnest($1::INTEGER[]))`,
    list: listValue([...days]),
  };
}

async function summariseVisits(
  connection: DuckDBConnection,
  { within, chosen, list }: SummaryDays,
): Promise<void> {
  const visits = visitsWithDay(`${within('started')} AND ${chosen(dayOf('started'))}`);
  // `once`: the visitor has visits on no other day.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE visits_in_hand AS
     SELECT v.*, r.visitor_id IS NULL AS once
     FROM (${visits}) v LEFT JOIN regulars r USING (site_id, visitor_id)`,
    [list],
  );
  const persons = 'count(DISTINCT CASE WHEN once THEN visitor_id END)';
  await connection.run(
    `INSERT INTO visit_days ${countVisits('FROM visits_in_hand', persons, dayKeys)}
     ORDER BY site_id, kind, day, value`,
  );
  await connection.run(
    `INSERT INTO visit_slots
     SELECT site_id, ${slotOf('started')} AS slot,
       count(*), sum(bounce::INTEGER), sum(${visitSeconds})
     FROM visits_in_hand GROUP BY ALL ORDER BY site_id, slot`,
  );
  await connection.run(
    `INSERT INTO repeat_starts
     SELECT site_id, day, started, visitor_id FROM visits_in_hand WHERE once
     QUALIFY count(*) OVER (PARTITION BY site_id, day, visitor_id) > 1 ORDER BY site_id, started`,
  );
  await connection.run('DROP TABLE visits_in_hand');
}

async function summariseEventSlots(
  connection: DuckDBConnection,
  { within, chosen, list }: SummaryDays,
): Promise<void> {
  await connection.run(
    `INSERT INTO event_slots
     SELECT site_id, ${slotOf('ts')} AS slot,
       count(*) FILTER (name = 1 AND NOT bot),
       count(*) FILTER (NOT bot AND is_counted(name)),
       count(*) FILTER (bot)
     FROM events WHERE ${within('ts')} AND ${chosen(dayOf('ts'))}
     GROUP BY ALL ORDER BY site_id, slot`,
    [list],
  );
}

async function summariseEvents(
  connection: DuckDBConnection,
  { within, chosen, list }: SummaryDays,
): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE events_in_hand AS
     SELECT e.*, r.visitor_id IS NULL AND e.visitor_id <> 0 AS once
     FROM (SELECT site_id, ${dayOf('ts')} AS day, name, pathname, visitor_id, session_id,
         engagement_ms, scroll_depth
       FROM events WHERE ${within('ts')} AND ${chosen(dayOf('ts'))} AND NOT bot) e
     LEFT JOIN regulars r USING (site_id, visitor_id)`,
    [list],
  );
  const visitors = 'count(DISTINCT CASE WHEN once THEN visitor_id END)';
  const sessions = 'count(DISTINCT CASE WHEN once THEN nullif(session_id, 0) END)';
  await connection.run(
    `INSERT INTO page_days SELECT site_id, day, pathname, count(*), ${visitors}, ${sessions}
     FROM events_in_hand WHERE name = 1 GROUP BY ALL ORDER BY site_id, day, pathname`,
  );
  await connection.run(
    `INSERT INTO name_days SELECT site_id, day, name, count(*), ${visitors}, ${sessions}
     FROM events_in_hand WHERE name <> 1 AND is_counted(name)
     GROUP BY ALL ORDER BY site_id, day, name`,
  );
  await connection.run(
    `INSERT INTO engagement_days ${engagementByDay('FROM events_in_hand')}
     ORDER BY site_id, day, pathname`,
  );
  await connection.run('DROP TABLE events_in_hand');
}

/** Returns the next days without a summary whose visits have all ended, oldest first. */
async function daysToSummarise(connection: DuckDBConnection): Promise<number[]> {
  const result = await connection.runAndReadAll(
    `WITH bounds AS (SELECT ${dayOf('min(started)')} AS first,
       (SELECT ${dayOf('min(open_from)')} FROM visit_state) AS past FROM visits)
     SELECT day FROM (SELECT unnest(range(first, past))::INTEGER AS day FROM bounds)
     WHERE day NOT IN (SELECT day FROM summarised_days) ORDER BY day LIMIT ${daysAtOnce}`,
  );
  return result.getRows().map(([day]) => integer(day));
}

/** Summarises some days within the caller's transaction. Returns their number; 0 if none left. */
export async function summariseDays(connection: DuckDBConnection): Promise<number> {
  const numbers = await daysToSummarise(connection);
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const days = summaryDays(numbers, first, last);
  for (const [table, day] of summaryTables)
    await connection.run(`DELETE FROM ${table} WHERE ${days.chosen(day)}`, [days.list]);
  await findReturningVisitors(connection, days);
  await summariseVisits(connection, days);
  await summariseEventSlots(connection, days);
  await summariseEvents(connection, days);
  await connection.run('INSERT INTO summarised_days SELECT unnest($1::INTEGER[])', [days.list]);
  return numbers.length;
}
