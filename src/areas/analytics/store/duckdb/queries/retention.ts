import type { DuckDBConnection } from '@duckdb/node-api';
import type { RetentionResult, RetentionStoreQuery } from '../../queries.ts';
import { integer, type Row, timeLiteral } from '../sql/values.ts';
import { readSnapshot } from './snapshot.ts';

/** The person of an event. Events older than the column are identified by `user_id` alone. */
const personColumn =
  'coalesce(person, CASE WHEN user_id IS NOT NULL THEN nullif(visitor_id, 0) END)';

/** Returns counts by cohort, then by unit, beginning with the unit of the cohort. */
function toCounts(rows: readonly Row[], units: number): number[][] {
  const counts = Array.from({ length: units }, (_, cohort) =>
    new Array<number>(units - cohort).fill(0),
  );
  for (const row of rows) {
    const [cohort, unit] = [integer(row.cohort), integer(row.unit)];
    const line = counts[cohort];
    if (line !== undefined) line[unit - cohort] = integer(row.persons);
  }
  return counts;
}

/**
 * Reads cohorts of people by the unit in which they were first seen, and how many of each were seen
 * in every later unit. First seen is over all stored events, not only those of the range.
 */
export async function readRetention(
  connection: DuckDBConnection,
  { siteId, starts, end, filters, bots }: RetentionStoreQuery,
  signal?: AbortSignal,
): Promise<RetentionResult> {
  const first = starts[0];
  if (first === undefined) throw new RangeError('cohorts need a unit');
  const query = {
    siteId,
    range: { from: 0, to: end },
    filters,
    onlyEvents: true,
    bots,
    buckets: starts,
  };
  const columns = 'person, user_id, visitor_id, ts, name';
  return readSnapshot(
    connection,
    query,
    async (session, { events, bucket }) => {
      const rows = await session.rows(`WITH
        seen AS (
          SELECT ${personColumn} AS who, ts
          FROM (${events(columns, query.range, ' AND is_counted(name)')})),
        newcomers AS (
          SELECT who, min(ts) AS since FROM seen WHERE who IS NOT NULL
          GROUP BY who HAVING min(ts) >= ${timeLiteral(first)}),
        active AS (
          SELECT DISTINCT who, ${bucket('since')} AS cohort, ${bucket('ts')} AS unit
          FROM seen JOIN newcomers USING (who))
        SELECT cohort, unit, count(*) AS persons FROM active GROUP BY ALL`);
      return { counts: toCounts(rows, starts.length) };
    },
    { signal },
  );
}
