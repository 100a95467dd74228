import type { DuckDBConnection } from '@duckdb/node-api';
import type { RetentionAnswer, RetentionQuestion } from '../../questions.ts';
import { integer, timeLiteral } from '../sql/session.ts';
import { readSelected } from './snapshot.ts';

/** Who an event is of. Events from before there was the column are told by the name that the site gave. */
const personColumn =
  'coalesce(person, CASE WHEN user_id IS NOT NULL THEN nullif(visitor_id, 0) END)';

/**
 * Cohorts of persons by the unit in which they were first seen, and in which units from then on they were seen. All events of the
 * store count for when somebody was first seen. Throws an error that says "not a regular expression" for a pattern that is none.
 */
export async function readRetention(
  connection: DuckDBConnection,
  { siteId, starts, end, filters, bots }: RetentionQuestion,
  signal?: AbortSignal,
): Promise<RetentionAnswer> {
  const first = starts[0];
  if (first === undefined) throw new RangeError('cohorts need a unit');
  const selected = { siteId, range: { from: 0, to: end }, filters, bots, buckets: starts };
  return readSelected(
    connection,
    selected,
    async (session, { events, bucket }) => {
      const rows = await session.rows(`WITH
        seen AS (SELECT ${personColumn} AS who, ts FROM (${events('person, user_id, visitor_id, ts, name', selected.range, ' AND is_counted(name)')})),
        newcomers AS (SELECT who, min(ts) AS since FROM seen WHERE who IS NOT NULL GROUP BY who HAVING min(ts) >= ${timeLiteral(first)}),
        active AS (SELECT DISTINCT who, ${bucket('since')} AS cohort, ${bucket('ts')} AS unit FROM seen JOIN newcomers USING (who))
      SELECT cohort, unit, count(*) AS persons FROM active GROUP BY ALL`);
      const counts = starts.map((_, cohort) => starts.slice(cohort).map(() => 0));
      for (const row of rows) {
        const [cohort, unit] = [integer(row.cohort), integer(row.unit)];
        const line = counts[cohort];
        if (line !== undefined) line[unit - cohort] = integer(row.persons);
      }
      return { counts };
    },
    { signal },
  );
}
