import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import {
  DuckDBTimestampMillisecondsValue,
  listValue,
  UBIGINT,
  UINTEGER,
  LIST,
} from '@duckdb/node-api';
import type { SiteVisitor, Visit } from '../../events.ts';
import { visitSelect } from '../schema/schema.ts';
import { forgetSummaries } from './summaries.ts';

/** Unix ms as a DuckDB parameter. */
export const timestamp = (ms: number) => new DuckDBTimestampMillisecondsValue(BigInt(ms));

const ids = (values: readonly bigint[]) => listValue([...values]);
const listType = LIST(UBIGINT);
const sitesType = LIST(UINTEGER);

async function run(
  connection: DuckDBConnection,
  sql: string,
  values: DuckDBValue[],
  types?: (typeof listType)[],
): Promise<void> {
  await connection.run(sql, values, types);
}

/** Rows of site, visitor, session, first event, last event, `named` and end of the visit before as visits. */
function toVisits(result: { getRows: () => DuckDBValue[][] }): Visit[] {
  return result.getRows().map(([site, visitor, session, first, last, named, previousEnd]) => ({
    siteId: Number(site),
    visitor: BigInt(String(visitor)),
    session: BigInt(String(session)),
    first: Number(first),
    last: Number(last),
    named: named === true,
    previousEnd: Number(previousEnd ?? 0),
  }));
}

/** Visits that have events but no row in `visits`, with the end of a closed visit of the same visitor from `completeFrom` on. */
export async function readOpenVisits(
  connection: DuckDBConnection,
  completeFrom: number,
): Promise<Visit[]> {
  return toVisits(
    await connection.runAndReadAll(
      `SELECT o.site_id, o.visitor_id, o.session_id, o.first, o.last, o.named, epoch_ms(p.ended) FROM (
       SELECT any_value(e.site_id) AS site_id, any_value(e.visitor_id) AS visitor_id, e.session_id,
         epoch_ms(min(e.ts)) AS first, epoch_ms(max(e.ts)) AS last, bool_or(e.named) AS named FROM events e
       WHERE e.session_id <> 0 AND e.ts >= (SELECT coalesce(min(open_from), '1970-01-01'::TIMESTAMP_MS) FROM visit_state)
       AND e.session_id NOT IN (SELECT session_id FROM visits) GROUP BY e.session_id) o
     LEFT JOIN (SELECT site_id, visitor_id, max(ended) AS ended FROM visits WHERE ended >= $1 GROUP BY ALL) p USING (site_id, visitor_id)`,
      [timestamp(completeFrom)],
    ),
  );
}

async function readVisits(
  connection: DuckDBConnection,
  sql: string,
  list: readonly bigint[],
): Promise<Visit[]> {
  const result = await connection.runAndReadAll(sql, [ids(list)], [listType]);
  return toVisits(result);
}

/** Takes client-named visits that go on out of the closed ones, and gives them. */
export async function reopenVisits(
  connection: DuckDBConnection,
  sessions: readonly bigint[],
): Promise<Visit[]> {
  const reopened = await readVisits(
    connection,
    'SELECT site_id, visitor_id, session_id, epoch_ms(started), epoch_ms(ended), true, 0 FROM visits WHERE session_id IN (SELECT unnest($1))',
    sessions,
  );
  if (reopened.length === 0) return reopened;
  await forget(
    connection,
    reopened.map((visit) => visit.session),
  );
  await forgetSummaries(
    connection,
    reopened.map((visit) => visit.first),
  );
  return reopened;
}

async function forget(connection: DuckDBConnection, sessions: readonly bigint[]): Promise<void> {
  await run(
    connection,
    'DELETE FROM visits WHERE session_id IN (SELECT unnest($1))',
    [ids(sessions)],
    [listType],
  );
}

/**
 * Cuts all visits of the given visitors anew by the 30-minute rule: events that came late may have begun,
 * lengthened or joined visits. A visit keeps the id of its earliest event. Gives those that changed, and the open ones, as
 * they are now.
 */
export async function recutVisits(
  connection: DuckDBConnection,
  visitors: readonly SiteVisitor[],
  gapMs: number,
): Promise<Visit[]> {
  const lists = [
    listValue(visitors.map(({ siteId }) => siteId)),
    ids(visitors.map(({ visitor }) => visitor)),
  ];
  await run(
    connection,
    'CREATE OR REPLACE TEMP TABLE late AS SELECT unnest($1) AS site_id, unnest($2) AS visitor_id',
    lists,
    [sitesType, listType],
  );
  await connection.run(`CREATE OR REPLACE TEMP TABLE recut AS
    WITH e AS (SELECT e.rowid AS row, e.site_id, e.visitor_id, e.session_id, e.ts, e.event_id FROM events e SEMI JOIN late USING (site_id, visitor_id) WHERE NOT e.named),
    cuts AS (SELECT *, coalesce(epoch_ms(ts) - epoch_ms(lag(ts) OVER w) > ${gapMs}, true) AS cut FROM e
             WINDOW w AS (PARTITION BY site_id, visitor_id ORDER BY ts, event_id)),
    groups AS (SELECT *, sum(cut::INTEGER) OVER (PARTITION BY site_id, visitor_id ORDER BY ts, event_id) AS part FROM cuts)
    SELECT row, site_id, visitor_id, session_id, ts, first_value(session_id) OVER (PARTITION BY site_id, visitor_id, part ORDER BY ts, event_id) AS visit FROM groups`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE changed AS
    SELECT any_value(r.site_id) AS site_id, any_value(r.visitor_id) AS visitor_id, r.visit, min(r.ts) AS first, max(r.ts) AS last FROM recut r LEFT JOIN visits v ON v.session_id = r.visit
    GROUP BY r.visit HAVING bool_or(r.session_id <> r.visit) OR count(*) <> coalesce(any_value(v.events), 0)`);
  await connection.run('DELETE FROM recut WHERE visit NOT IN (SELECT visit FROM changed)');
  const gone = await connection.runAndReadAll(
    'DELETE FROM visits WHERE session_id IN (SELECT session_id FROM recut UNION ALL SELECT visit FROM recut) RETURNING epoch_ms(started)',
  );
  await connection.run(
    'UPDATE events SET session_id = recut.visit FROM recut WHERE events.rowid = recut.row AND recut.session_id <> recut.visit',
  );
  const result = await connection.runAndReadAll(
    'SELECT site_id, visitor_id, visit, epoch_ms(first), epoch_ms(last), false, 0 FROM changed',
  );
  const visits = toVisits(result);
  await forgetSummaries(connection, [
    ...gone.getRows().map(([started]) => Number(started)),
    ...visits.map((visit) => visit.first),
  ]);
  return visits;
}

/** Writes the final rows of those of the visits that are not in `visits` yet. */
export async function writeVisits(
  connection: DuckDBConnection,
  visits: readonly Visit[],
): Promise<void> {
  if (visits.length === 0) return;
  const from = visits.reduce((least, { first }) => Math.min(least, first), Infinity);
  const to = visits.reduce((most, { last }) => Math.max(most, last), 0);
  await run(
    connection,
    'CREATE OR REPLACE TEMP TABLE closing AS SELECT unnest($1) AS session_id',
    [ids(visits.map((visit) => visit.session))],
    [listType],
  );
  await connection.run(
    `INSERT INTO visits BY NAME ${visitSelect(`events e SEMI JOIN closing USING (session_id) WHERE e.ts BETWEEN $1 AND $2
      AND e.session_id NOT IN (SELECT session_id FROM visits WHERE ended >= $1)`)}`,
    [timestamp(from), timestamp(to)],
  );
  await forgetSummaries(
    connection,
    visits.map((visit) => visit.first),
  );
}
