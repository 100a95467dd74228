import type { DashboardStoreQuery } from '../../../queries.ts';
import { byKind, everyoneKind, kindColumns } from '../../sql/breakdown-kinds.ts';
import { dayCondition, rangesWithout, withinAny } from '../../sql/days.ts';
import { siteCondition } from '../../sql/site-condition.ts';
import type { DashboardContext } from './context.ts';

const selectRegulars = (siteId: DashboardStoreQuery['siteId']) =>
  `SELECT visitor_id FROM regulars WHERE ${siteCondition(siteId)}`;

const moreThanOnce = (visitors: string) =>
  `SELECT visitor_id FROM (${visitors}) GROUP BY visitor_id HAVING count(*) > 1`;

/** Returns a SELECT of the visitors whose visits must be read one by one. */
function repeatingVisitors({
  selection: { visits },
  query: { siteId, range },
  days,
}: DashboardContext): string {
  const all = visits('visitor_id', range);
  if (days.length === 0) return moreThanOnce(all);
  const rest = rangesWithout(range, days)
    .map((part) => visits('visitor_id', part))
    .join(' UNION ALL ');
  if (rest === '') return selectRegulars(siteId);
  const alsoInRest = `SELECT visitor_id FROM (${all}) WHERE visitor_id IN (${rest})`;
  return `${selectRegulars(siteId)} UNION ${moreThanOnce(alsoInRest)}`;
}

/**
 * Prepares counting distinct visitors without a distinct over all visits. Summaries hold how many
 * visitors of a day came on no other day (`persons`). In the rest of the range, each visit counts
 * as a visitor. `several` holds all visits of the visitors that this miscounts: the regulars, and
 * those with a visit in the rest and another one. They are removed from both sums and counted
 * exactly.
 */
export async function prepareSeveral(context: DashboardContext): Promise<void> {
  const { session, selection, query, days } = context;
  const { siteId, range } = query;
  const isRegular = days.length === 0 ? 'false' : `visitor_id IN (${selectRegulars(siteId)})`;
  const isRest = withinAny('started', rangesWithout(range, days));
  const visits = selection.visits(`visitor_id, started, ${kindColumns.join(', ')}`, range);
  await session.run(`CREATE OR REPLACE TEMP TABLE repeating AS ${repeatingVisitors(context)}`);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE several AS
     SELECT *, (${selection.bucket('started')})::USMALLINT AS bucket,
       ${isRest} AS rest, ${isRegular} AS regular
     FROM (${visits}) SEMI JOIN repeating USING (visitor_id)`,
  );
}

/** Returns a SELECT of kind, value and the correction to add to their `persons`. */
function missedVisitors(days: readonly number[]): string {
  // One SELECT per dimension: with a distinct, grouping sets take three times as long.
  const exact = [...kindColumns, '0'].map((column, index) => {
    const kind = column === '0' ? everyoneKind : index;
    return `SELECT ${kind}::UTINYINT AS kind, ${column}::UINTEGER AS value,
      count(DISTINCT visitor_id) - count(*) FILTER (rest) AS missed FROM several GROUP BY value`;
  });
  if (days.length === 0) return exact.join(' UNION ALL ');
  const twice = byKind({
    rows: 'FROM several WHERE NOT rest AND NOT regular',
    aggregates: '-count(DISTINCT visitor_id) AS missed',
  });
  return `SELECT kind, value, sum(missed) AS missed
    FROM (${[...exact, twice].join(' UNION ALL ')}) GROUP BY ALL`;
}

/** Creates `missed`: the correction to add to the `persons` of each kind and value but duration. */
export async function prepareMissedVisitors({ session, days }: DashboardContext): Promise<void> {
  await session.run(`CREATE OR REPLACE TEMP TABLE missed AS ${missedVisitors(days)}`);
}

/** Returns a SELECT of bucket and the repeat visits: visits minus repeats are its visitors. */
export function repeatsByBucket({ selection, query, days }: DashboardContext): string {
  const summarised = dayCondition(days, 'day');
  const sameDay =
    summarised === undefined
      ? ''
      : `UNION ALL SELECT (${selection.bucket('started')})::USMALLINT, visitor_id
         FROM repeat_starts WHERE ${siteCondition(query.siteId)} AND ${summarised}
         AND visitor_id NOT IN (SELECT visitor_id FROM repeating)`;
  return `SELECT bucket, count(*) - count(DISTINCT visitor_id) AS repeats
    FROM (SELECT bucket, visitor_id FROM several ${sameDay}) GROUP BY bucket`;
}
