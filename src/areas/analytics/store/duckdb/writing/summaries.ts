import type { DuckDBConnection } from '@duckdb/node-api';
import { listValue } from '@duckdb/node-api';
import { engagementByDay } from '../questions/dashboard/engagements.ts';
import { countedColumns, countVisits, visitSeconds } from '../sql/breakdown-kinds.ts';
import { integer, timeLiteral } from '../sql/session.ts';
import { dayMs } from '../../../../../lib/durations.ts';

/** Days that one transaction adds up. */
const daysAtOnce = 31;

const dayKeys = ['site_id', 'day'];
const dayOf = (column: string) => `(epoch_ms(${column}) // ${dayMs})::INTEGER`;

/** Quarters of an hour: every time zone of today is a whole number of them away from UTC. */
export const slotMs = 900_000;

const slotOf = (column: string) =>
  `make_timestamp_ms(epoch_ms(${column}) // ${slotMs} * ${slotMs})::TIMESTAMP_MS`;

/** Visits that began, or events that happened, at these times (Unix ms) have changed: their days are to be added up again. */
export async function forgetSummaries(
  connection: DuckDBConnection,
  times: readonly number[],
): Promise<void> {
  const days = [...new Set(times.map((ms) => Math.floor(ms / dayMs)))];
  if (days.length === 0) return;
  await connection.run('DELETE FROM summarised_days WHERE day IN (SELECT unnest($1::INTEGER[]))', [
    listValue(days),
  ]);
}

/** The days before today that these events belong to are to be added up again. */
export async function forgetLateDays(
  connection: DuckDBConnection,
  rows: readonly { time: number; receivedAt: number }[],
): Promise<void> {
  const late = rows.filter(
    ({ time, receivedAt }) => Math.floor(time / dayMs) < Math.floor(receivedAt / dayMs),
  );
  await forgetSummaries(
    connection,
    late.map(({ time }) => time),
  );
}

/** The days in hand, as SQL. */
interface Days {
  /** Condition on a time: it lies between the first and the last of them. */
  within: (column: string) => string;
  /** Condition on a day. */
  chosen: (column: string) => string;
  list: ReturnType<typeof listValue>;
}

function daysInHand(days: readonly number[], first: number, last: number): Days {
  return {
    within: (column) =>
      `${column} >= ${timeLiteral(first * dayMs)} AND ${column} < ${timeLiteral((last + 1) * dayMs)}`,
    chosen: (column) => `${column} IN (SELECT unnest($1::INTEGER[]))`,
    list: listValue([...days]),
  };
}

/** Visits that are added up, with their day. */
const dayVisits = (where: string) =>
  `SELECT site_id, visitor_id, ${dayOf('started')} AS day, ${countedColumns} FROM visits WHERE ${where} AND NOT bot`;

/**
 * A regular has events on more than one day. Who is not counts once on their one day, so that such visitors of many days
 * can be added up; regulars can't, and are looked up in `visits` for every question. Somebody who has become a regular
 * is taken out of the day that has counted them already.
 */
async function findRegulars(
  connection: DuckDBConnection,
  { within, chosen, list }: Days,
): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE fresh AS
    WITH seen AS (SELECT DISTINCT site_id, visitor_id FROM events WHERE ${within('ts')} AND ${chosen(dayOf('ts'))})
    SELECT site_id, visitor_id FROM events SEMI JOIN seen USING (site_id, visitor_id) ANTI JOIN regulars USING (site_id, visitor_id)
    GROUP BY ALL HAVING ${dayOf('min(ts)')} <> ${dayOf('max(ts)')}`,
    [list],
  );
  await connection.run(`CREATE OR REPLACE TEMP TABLE counted_before AS
    SELECT * FROM (${dayVisits('true')}) SEMI JOIN fresh USING (site_id, visitor_id) WHERE day IN (SELECT day FROM summarised_days)`);
  await connection.run(`INSERT INTO visit_days SELECT site_id, day, kind, value, 0, 0, -persons
    FROM (${countVisits('FROM counted_before', 'count(DISTINCT visitor_id)', dayKeys)})`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE events_before AS
    SELECT site_id, ${dayOf('ts')} AS day, name, pathname, visitor_id, session_id, scroll_depth FROM events SEMI JOIN fresh USING (site_id, visitor_id)
    WHERE NOT bot AND visitor_id <> 0 AND ${dayOf('ts')} IN (SELECT day FROM summarised_days)`);
  await connection.run(
    'INSERT INTO page_days SELECT site_id, day, pathname, 0, -count(DISTINCT visitor_id) FROM events_before WHERE name = 1 GROUP BY ALL',
  );
  await connection.run(`INSERT INTO name_days SELECT site_id, day, name, 0, -count(DISTINCT visitor_id), -count(DISTINCT nullif(session_id, 0))
    FROM events_before WHERE name <> 1 AND is_counted(name) GROUP BY ALL`);
  await connection.run(
    `INSERT INTO engagement_days SELECT site_id, day, pathname, NULL, -depths, -measured FROM (${engagementByDay('SELECT *, NULL::UINTEGER AS engagement_ms, true AS once FROM events_before')})`,
  );
  await connection.run('INSERT INTO regulars FROM fresh');
}

async function summariseVisits(
  connection: DuckDBConnection,
  { within, chosen, list }: Days,
): Promise<void> {
  // `once`: comes on no other day.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE visits_in_hand AS SELECT v.*, r.visitor_id IS NULL AS once
    FROM (${dayVisits(`${within('started')} AND ${chosen(dayOf('started'))}`)}) v LEFT JOIN regulars r USING (site_id, visitor_id)`,
    [list],
  );
  await connection.run(
    `INSERT INTO visit_days ${countVisits('FROM visits_in_hand', 'count(DISTINCT CASE WHEN once THEN visitor_id END)', dayKeys)} ORDER BY site_id, kind, day, value`,
  );
  await connection.run(`INSERT INTO visit_slots SELECT site_id, ${slotOf('started')} AS slot, count(*), sum(bounce::INTEGER), sum(${visitSeconds})
    FROM visits_in_hand GROUP BY ALL ORDER BY site_id, slot`);
  await connection.run(`INSERT INTO repeat_starts SELECT site_id, day, started, visitor_id FROM visits_in_hand WHERE once
    QUALIFY count(*) OVER (PARTITION BY site_id, day, visitor_id) > 1 ORDER BY site_id, started`);
  await connection.run('DROP TABLE visits_in_hand');
}

async function summariseEvents(
  connection: DuckDBConnection,
  { within, chosen, list }: Days,
): Promise<void> {
  const where = `${within('ts')} AND ${chosen(dayOf('ts'))}`;
  await connection.run(
    `INSERT INTO event_slots SELECT site_id, ${slotOf('ts')} AS slot,
      count(*) FILTER (name = 1 AND NOT bot), count(*) FILTER (NOT bot AND is_counted(name)), count(*) FILTER (bot)
    FROM events WHERE ${where} GROUP BY ALL ORDER BY site_id, slot`,
    [list],
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE events_in_hand AS SELECT e.*, r.visitor_id IS NULL AND e.visitor_id <> 0 AS once
    FROM (SELECT site_id, ${dayOf('ts')} AS day, name, pathname, visitor_id, session_id, engagement_ms, scroll_depth FROM events WHERE ${where} AND NOT bot) e LEFT JOIN regulars r USING (site_id, visitor_id)`,
    [list],
  );
  const visitors = 'count(DISTINCT CASE WHEN once THEN visitor_id END)';
  await connection.run(`INSERT INTO page_days SELECT site_id, day, pathname, count(*), ${visitors}
    FROM events_in_hand WHERE name = 1 GROUP BY ALL ORDER BY site_id, day, pathname`);
  await connection.run(`INSERT INTO name_days SELECT site_id, day, name, count(*), ${visitors}, count(DISTINCT CASE WHEN once THEN nullif(session_id, 0) END)
    FROM events_in_hand WHERE name <> 1 AND is_counted(name) GROUP BY ALL ORDER BY site_id, day, name`);
  await connection.run(
    `INSERT INTO engagement_days ${engagementByDay('FROM events_in_hand')} ORDER BY site_id, day, pathname`,
  );
  await connection.run('DROP TABLE events_in_hand');
}

/** The next days, oldest first, whose visits are all over and that have not been added up. */
async function openDays(connection: DuckDBConnection): Promise<number[]> {
  const result =
    await connection.runAndReadAll(`WITH bounds AS (SELECT ${dayOf('min(started)')} AS first,
      (SELECT ${dayOf('min(open_from)')} FROM visit_state) AS past FROM visits)
    SELECT day FROM (SELECT unnest(range(first, past))::INTEGER AS day FROM bounds)
    WHERE day NOT IN (SELECT day FROM summarised_days) ORDER BY day LIMIT ${daysAtOnce}`);
  return result.getRows().map(([day]) => integer(day));
}

/** Adds up some days within the caller's transaction. Gives how many. */
export async function summariseDays(connection: DuckDBConnection): Promise<number> {
  const numbers = await openDays(connection);
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const days = daysInHand(numbers, first, last);
  for (const [table, day] of [
    ['visit_days', 'day'],
    ['visit_slots', dayOf('slot')],
    ['event_slots', dayOf('slot')],
    ['page_days', 'day'],
    ['name_days', 'day'],
    ['engagement_days', 'day'],
    ['repeat_starts', 'day'],
  ] as const) {
    await connection.run(`DELETE FROM ${table} WHERE ${days.chosen(day)}`, [days.list]);
  }
  await findRegulars(connection, days);
  await summariseVisits(connection, days);
  await summariseEvents(connection, days);
  await connection.run('INSERT INTO summarised_days SELECT unnest($1::INTEGER[])', [days.list]);
  return numbers.length;
}
