import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { DuckDBTimestampMillisecondsValue, listValue, UBIGINT, LIST } from '@duckdb/node-api';
import type { Visit } from '../types.ts';
import { visitSelect } from './schema.ts';

/** Unix ms as a DuckDB parameter. */
export const timestamp = (ms: number) => new DuckDBTimestampMillisecondsValue(BigInt(ms));

const ids = (values: readonly bigint[]) => listValue([...values]);
const listType = LIST(UBIGINT);

async function run(connection: DuckDBConnection, sql: string, values: DuckDBValue[], types?: (typeof listType)[]): Promise<void> {
  await connection.run(sql, values, types);
}

/** Rows of visitor, session, first event, last event and `named` as visits. */
export function toVisits(result: { getRows(): DuckDBValue[][] }): Visit[] {
  return result.getRows().map(([visitor, session, first, last, named]) => ({
    visitor: BigInt(String(visitor)), session: BigInt(String(session)), first: Number(first), last: Number(last), named: named === true,
  }));
}

async function readVisits(connection: DuckDBConnection, sql: string, list: readonly bigint[]): Promise<Visit[]> {
  const result = await connection.runAndReadAll(sql, [ids(list)], [listType]);
  return toVisits(result);
}

/** Takes client-named visits that go on out of the closed ones, and gives them. */
export async function reopenVisits(connection: DuckDBConnection, sessions: readonly bigint[]): Promise<Visit[]> {
  const reopened = await readVisits(
    connection,
    'SELECT visitor_id, session_id, epoch_ms(started), epoch_ms(ended), true FROM visits WHERE session_id IN (SELECT unnest($1))',
    sessions,
  );
  if (reopened.length > 0) await forget(connection, reopened.map((visit) => visit.session));
  return reopened;
}

async function forget(connection: DuckDBConnection, sessions: readonly bigint[]): Promise<void> {
  await run(connection, 'DELETE FROM visits WHERE session_id IN (SELECT unnest($1))', [ids(sessions)], [listType]);
}

/**
 * Cuts all visits of the given visitors anew by the 30-minute rule: events that came late may have begun,
 * lengthened or joined visits. A visit keeps the id of its earliest event. Gives the visits as they are now.
 */
export async function recutVisits(connection: DuckDBConnection, visitors: readonly bigint[], gapMs: number): Promise<Visit[]> {
  await run(connection, 'CREATE OR REPLACE TEMP TABLE late AS SELECT unnest($1) AS visitor_id', [ids(visitors)], [listType]);
  await connection.run(`CREATE OR REPLACE TEMP TABLE recut AS
    WITH e AS (SELECT e.rowid AS row, e.visitor_id, e.session_id, e.ts, e.event_id FROM events e SEMI JOIN late USING (visitor_id) WHERE NOT e.named),
    cuts AS (SELECT *, coalesce(epoch_ms(ts) - epoch_ms(lag(ts) OVER w) > ${gapMs}, true) AS cut FROM e
             WINDOW w AS (PARTITION BY visitor_id ORDER BY ts, event_id)),
    groups AS (SELECT *, sum(cut::INTEGER) OVER (PARTITION BY visitor_id ORDER BY ts, event_id) AS part FROM cuts)
    SELECT row, visitor_id, session_id, ts, first_value(session_id) OVER (PARTITION BY visitor_id, part ORDER BY ts, event_id) AS visit FROM groups`);
  await connection.run('DELETE FROM visits WHERE session_id IN (SELECT session_id FROM recut UNION ALL SELECT visit FROM recut)');
  await connection.run('UPDATE events SET session_id = recut.visit FROM recut WHERE events.rowid = recut.row AND recut.session_id <> recut.visit');
  const result = await connection.runAndReadAll(
    'SELECT any_value(visitor_id), visit, epoch_ms(min(ts)), epoch_ms(max(ts)), false FROM recut GROUP BY visit',
  );
  return toVisits(result);
}

/** Writes the final rows of those of the visits that are not in `visits` yet. */
export async function writeVisits(connection: DuckDBConnection, visits: readonly Visit[]): Promise<void> {
  if (visits.length === 0) return;
  const from = Math.min(...visits.map((visit) => visit.first));
  const to = Math.max(...visits.map((visit) => visit.last));
  await run(connection, 'CREATE OR REPLACE TEMP TABLE closing AS SELECT unnest($1) AS session_id', [ids(visits.map((visit) => visit.session))], [listType]);
  await connection.run(
    `INSERT INTO visits BY NAME ${visitSelect(`events e SEMI JOIN closing USING (session_id) WHERE e.ts BETWEEN $1 AND $2
      AND e.session_id NOT IN (SELECT session_id FROM visits WHERE ended >= $1)`)}`,
    [timestamp(from), timestamp(to)],
  );
}
