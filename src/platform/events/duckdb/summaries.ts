import type { DuckDBConnection } from '@duckdb/node-api';
import { listValue } from '@duckdb/node-api';
import { visitBreakdowns } from '../questions.ts';
import { integer, timeLiteral } from './session.ts';

const dayMs = 86_400_000;
/** Days that one transaction adds up. */
const daysAtOnce = 31;

/** What is added up: the dimensions of the dashboard by their place, then the visits by their length. */
export const summaryColumns = Object.values(visitBreakdowns);
export const durationKind = summaryColumns.length;

/** Whole seconds of a visit. */
export const visitSeconds = '((epoch_ms(ended) - epoch_ms(started)) // 1000)';

const dayOf = (column: string) => `(epoch_ms(${column}) // ${dayMs})::INTEGER`;

/** SELECT of kind, value, visits and bounces, grouped also by `keys`, out of rows of visits. */
export function countVisits(keys: string, rows: string): string {
  const prefix = keys === '' ? '' : `${keys}, `;
  const kinds = [...summaryColumns, visitSeconds].map((column, kind) =>
    `SELECT ${prefix}${kind}::UTINYINT AS kind, ${column}::UINTEGER AS value, count(*)::UINTEGER AS visits, sum(bounce::INTEGER)::UINTEGER AS bounces
     FROM (${rows}) GROUP BY ${prefix}value`);
  return kinds.join(' UNION ALL ');
}

/** Columns that `countVisits` reads. */
export const countedColumns = `started, ended, bounce, ${summaryColumns.join(', ')}`;

/** Quarters of an hour: every time zone of today is a whole number of them away from UTC. */
export const slotMs = 900_000;

/** Visits that began, or events that happened, at these times (Unix ms) have changed: their days are to be added up again. */
export async function forgetSummaries(connection: DuckDBConnection, times: readonly number[]): Promise<void> {
  const days = [...new Set(times.map((ms) => Math.floor(ms / dayMs)))];
  if (days.length === 0) return;
  await connection.run('DELETE FROM summarised_days WHERE day IN (SELECT unnest($1::INTEGER[]))', [listValue(days)]);
}

/** The days before today that these events belong to are to be added up again. */
export async function forgetLateDays(connection: DuckDBConnection, rows: readonly { time: number; receivedAt: number }[]): Promise<void> {
  const late = rows.filter(({ time, receivedAt }) => Math.floor(time / dayMs) < Math.floor(receivedAt / dayMs));
  await forgetSummaries(connection, late.map(({ time }) => time));
}

async function summariseEvents(connection: DuckDBConnection, within: string, list: ReturnType<typeof listValue>): Promise<void> {
  const chosen = 'IN (SELECT unnest($1::INTEGER[]))';
  await connection.run(`DELETE FROM event_slots WHERE ${dayOf('slot')} ${chosen}`, [list]);
  await connection.run(`INSERT INTO event_slots SELECT site_id, make_timestamp_ms(epoch_ms(ts) // ${slotMs} * ${slotMs})::TIMESTAMP_MS AS slot,
      count(*) FILTER (name = 1 AND NOT bot), count(*) FILTER (NOT bot), count(*) FILTER (bot)
    FROM events WHERE ${within} AND ${dayOf('ts')} ${chosen} GROUP BY ALL ORDER BY site_id, slot`, [list]);
  await connection.run(`DELETE FROM page_days WHERE day ${chosen}`, [list]);
  await connection.run(`INSERT INTO page_days SELECT site_id, ${dayOf('ts')} AS day, pathname, count(*)
    FROM events WHERE ${within} AND ${dayOf('ts')} ${chosen} AND name = 1 AND NOT bot GROUP BY ALL ORDER BY site_id, day, pathname`, [list]);
}

/** The next days, oldest first, whose visits are all over and that have not been added up. */
async function openDays(connection: DuckDBConnection): Promise<number[]> {
  const result = await connection.runAndReadAll(`WITH bounds AS (SELECT ${dayOf('min(started)')} AS first,
      (SELECT ${dayOf('min(open_from)')} FROM visit_state) AS past FROM visits)
    SELECT day FROM (SELECT unnest(range(first, past))::INTEGER AS day FROM bounds)
    WHERE day NOT IN (SELECT day FROM summarised_days) ORDER BY day LIMIT ${daysAtOnce}`);
  return result.getRows().map(([day]) => integer(day));
}

/** Adds up some days within the caller's transaction. Gives how many. */
export async function summariseDays(connection: DuckDBConnection): Promise<number> {
  const days = await openDays(connection);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const list = listValue(days);
  await connection.run('DELETE FROM visit_days WHERE day IN (SELECT unnest($1::INTEGER[]))', [list]);
  const within = (column: string) => `${column} >= ${timeLiteral(first * dayMs)} AND ${column} < ${timeLiteral((last + 1) * dayMs)}`;
  const rows = `SELECT site_id, ${dayOf('started')} AS day, ${countedColumns} FROM visits WHERE ${within('started')} AND NOT bot`;
  await connection.run(`INSERT INTO visit_days SELECT site_id, day, kind, value, visits, bounces FROM (${countVisits('site_id, day', rows)})
    WHERE day IN (SELECT unnest($1::INTEGER[])) ORDER BY site_id, kind, day, value`, [list]);
  await summariseEvents(connection, within('ts'), list);
  await connection.run('INSERT INTO summarised_days SELECT unnest($1::INTEGER[])', [list]);
  return days.length;
}
