import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import {
  DuckDBTimestampMillisecondsValue,
  LIST,
  listValue,
  UBIGINT,
  UINTEGER,
} from '@duckdb/node-api';
import type { SiteVisitor, Visit } from '../../events.ts';
import { visitSelect } from '../schema/visit-select.ts';
import { invalidateSummaries } from './summaries.ts';

/** Converts Unix ms to a DuckDB parameter. */
export const timestamp = (ms: number) => new DuckDBTimestampMillisecondsValue(BigInt(ms));

const idsType = LIST(UBIGINT);
const sitesType = LIST(UINTEGER);
const ids = (values: readonly bigint[]) => listValue([...values]);

/** Maps rows of site, visitor, session, first and last event, `named`, previous visit's end. */
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

/**
 * Returns visits that have events but no row in `visits`, each with the end of the same visitor's
 * last closed visit, if that ended at `completeFrom` (Unix ms) or later.
 */
export async function readOpenVisits(
  connection: DuckDBConnection,
  completeFrom: number,
): Promise<Visit[]> {
  const result = await connection.runAndReadAll(
    `SELECT o.site_id, o.visitor_id, o.session_id, o.first, o.last, o.named, epoch_ms(p.ended)
     FROM (
       SELECT any_value(e.site_id) AS site_id, any_value(e.visitor_id) AS visitor_id, e.session_id,
         epoch_ms(min(e.ts)) AS first, epoch_ms(max(e.ts)) AS last, bool_or(e.named) AS named
       FROM events e
       WHERE e.session_id <> 0
         AND e.ts >= (SELECT coalesce(min(open_from), '1970-01-01'::TIMESTAMP_MS) FROM visit_state)
         AND e.session_id NOT IN (SELECT session_id FROM visits)
       GROUP BY e.session_id) o
     LEFT JOIN (
       SELECT site_id, visitor_id, max(ended) AS ended FROM visits WHERE ended >= $1 GROUP BY ALL) p
     USING (site_id, visitor_id)`,
    [timestamp(completeFrom)],
  );
  return toVisits(result);
}

/** Deletes the rows of client-named visits that continue, and returns these visits. */
export async function reopenVisits(
  connection: DuckDBConnection,
  sessions: readonly bigint[],
): Promise<Visit[]> {
  const result = await connection.runAndReadAll(
    `DELETE FROM visits WHERE session_id IN (SELECT unnest($1))
     RETURNING site_id, visitor_id, session_id, epoch_ms(started), epoch_ms(ended), true, 0`,
    [ids(sessions)],
    [idsType],
  );
  const reopened = toVisits(result);
  await invalidateSummaries(
    connection,
    reopened.map((visit) => visit.first),
  );
  return reopened;
}

/**
 * Creates `recut`: every event of the visitors, except those of client-named visits, with the visit
 * that the 30-minute rule assigns it to. A visit keeps the id of its earliest event.
 */
async function prepareRecut(
  connection: DuckDBConnection,
  visitors: readonly SiteVisitor[],
  gapMs: number,
): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE late AS
     SELECT unnest($1) AS site_id, unnest($2) AS visitor_id`,
    [listValue(visitors.map(({ siteId }) => siteId)), ids(visitors.map(({ visitor }) => visitor))],
    [sitesType, idsType],
  );
  await connection.run(`CREATE OR REPLACE TEMP TABLE recut AS
    WITH e AS (
      SELECT e.rowid AS row, e.site_id, e.visitor_id, e.session_id, e.ts, e.event_id
      FROM events e SEMI JOIN late USING (site_id, visitor_id) WHERE NOT e.named),
    cuts AS (
      SELECT *, coalesce(epoch_ms(ts) - epoch_ms(lag(ts) OVER w) > ${gapMs}, true) AS cut FROM e
      WINDOW w AS (PARTITION BY site_id, visitor_id ORDER BY ts, event_id)),
    groups AS (
      SELECT *, sum(cut::INTEGER)
        OVER (PARTITION BY site_id, visitor_id ORDER BY ts, event_id) AS part FROM cuts)
    SELECT row, site_id, visitor_id, session_id, ts, first_value(session_id)
      OVER (PARTITION BY site_id, visitor_id, part ORDER BY ts, event_id) AS visit FROM groups`);
}

/**
 * Recomputes all visits of the given visitors by the 30-minute rule, since late events may have
 * started, extended or joined visits. Returns the visits that changed or are open.
 */
export async function recutVisits(
  connection: DuckDBConnection,
  visitors: readonly SiteVisitor[],
  gapMs: number,
): Promise<Visit[]> {
  await prepareRecut(connection, visitors, gapMs);
  await connection.run(`CREATE OR REPLACE TEMP TABLE changed AS
    SELECT any_value(r.site_id) AS site_id, any_value(r.visitor_id) AS visitor_id, r.visit,
      min(r.ts) AS first, max(r.ts) AS last
    FROM recut r LEFT JOIN visits v ON v.session_id = r.visit
    GROUP BY r.visit
    HAVING bool_or(r.session_id <> r.visit) OR count(*) <> coalesce(any_value(v.events), 0)`);
  await connection.run('DELETE FROM recut WHERE visit NOT IN (SELECT visit FROM changed)');
  const removed = await connection.runAndReadAll(
    `DELETE FROM visits
     WHERE session_id IN (SELECT session_id FROM recut UNION ALL SELECT visit FROM recut)
     RETURNING epoch_ms(started)`,
  );
  await connection.run(
    `UPDATE events SET session_id = recut.visit FROM recut
     WHERE events.rowid = recut.row AND recut.session_id <> recut.visit`,
  );
  const changed = await connection.runAndReadAll(
    `SELECT site_id, visitor_id, visit, epoch_ms(first), epoch_ms(last), false, 0 FROM changed`,
  );
  const visits = toVisits(changed);
  await invalidateSummaries(connection, [
    ...removed.getRows().map(([started]) => Number(started)),
    ...visits.map((visit) => visit.first),
  ]);
  return visits;
}

/** Writes the rows of ended visits that are not in `visits` yet. */
export async function writeVisits(
  connection: DuckDBConnection,
  visits: readonly Visit[],
): Promise<void> {
  if (visits.length === 0) return;
  const from = visits.reduce((earliest, { first }) => Math.min(earliest, first), Infinity);
  const to = visits.reduce((latest, { last }) => Math.max(latest, last), 0);
  await connection.run(
    'CREATE OR REPLACE TEMP TABLE closing AS SELECT unnest($1) AS session_id',
    [ids(visits.map((visit) => visit.session))],
    [idsType],
  );
  await connection.run(
    `INSERT INTO visits BY NAME ${visitSelect(`events e SEMI JOIN closing USING (session_id)
      WHERE e.ts BETWEEN $1 AND $2
      AND e.session_id NOT IN (SELECT session_id FROM visits WHERE ended >= $1)`)}`,
    [timestamp(from), timestamp(to)],
  );
  await invalidateSummaries(
    connection,
    visits.map((visit) => visit.first),
  );
}
