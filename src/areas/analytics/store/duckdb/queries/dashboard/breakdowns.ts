import { type VisitBreakdown, visitBreakdowns } from '../../../queries.ts';
import type { VisitRow } from '../../../schemas.figures.ts';
import {
  countedColumns,
  countVisits,
  durationKind,
  kindColumns,
} from '../../sql/breakdown-kinds.ts';
import { dayCondition, rangesWithout } from '../../sql/days.ts';
import { siteCondition } from '../../sql/site-condition.ts';
import { integer, type Row, textOf } from '../../sql/values.ts';
import type { DashboardContext } from './context.ts';
import { toConversions } from './conversions.ts';
import { topRows } from './rankings.ts';

type Breakdowns = Record<VisitBreakdown, VisitRow[]>;

const names = Object.keys(visitBreakdowns) as VisitBreakdown[];

const toBreakdowns = (listOf: (kind: number) => VisitRow[]): Breakdowns =>
  Object.fromEntries(names.map((name, kind) => [name, listOf(kind)])) as Breakdowns;

export const emptyBreakdowns = (): Breakdowns => toBreakdowns(() => []);

/** Creates `counted`: visits, bounces and visitors by kind and value, from summaries and visits. */
export async function prepareCounted({
  session,
  selection,
  query: { siteId, range },
  days,
}: DashboardContext): Promise<void> {
  const visits = rangesWithout(range, days)
    .map((part) => selection.visits(countedColumns, part))
    .join(' UNION ALL ');
  const parts = visits === '' ? [] : [countVisits(visits, 'count(*)')];
  const summarised = dayCondition(days, 'day');
  if (summarised !== undefined)
    parts.push(
      `SELECT kind, value, visits, bounces, persons FROM visit_days
       WHERE ${siteCondition(siteId)} AND ${summarised}`,
    );
  await session.run(
    `CREATE OR REPLACE TEMP TABLE counted AS
     SELECT kind, value, sum(visits)::UINTEGER AS visits, sum(bounces)::UINTEGER AS bounces,
       sum(persons)::INTEGER AS persons
     FROM (${parts.join(' UNION ALL ')}) GROUP BY kind, value`,
  );
}

/** Dimensions whose lists omit visits without a value. Other lists show them as unknown. */
const omittedIfUnset: ReadonlySet<string> = new Set([
  'entry_page',
  'exit_page',
  'referrer',
  'utm_campaign',
]);

const toVisitRow = (row: Row, hasGoal: boolean): VisitRow => ({
  value: textOf(row),
  visitors: integer(row.persons),
  visits: integer(row.visits),
  bounce_rate: (100 * integer(row.bounces)) / integer(row.visits),
  ...(hasGoal && toConversions(integer(row.conversions), integer(row.visits))),
});

/**
 * Reads the top values of every dimension from the tables `counted` and `missed`, and with a goal
 * from `conversions`.
 */
export async function readBreakdowns({
  session,
  query: { limit },
  goal,
}: DashboardContext): Promise<Breakdowns> {
  const hasGoal = goal !== undefined;
  const omitted = kindColumns.flatMap((column, kind) => (omittedIfUnset.has(column) ? [kind] : []));
  const persons = 'c.persons + coalesce(m.missed, 0)';
  const rows = await session.rows(
    `WITH best AS (
       SELECT c.kind, c.value AS id, c.visits, c.bounces, ${persons} AS persons
       FROM counted c LEFT JOIN missed m USING (kind, value)
       WHERE c.kind < ${durationKind} AND NOT (c.value = 0 AND c.kind IN (${omitted.join(', ')}))
       QUALIFY rank() OVER (
         PARTITION BY c.kind ORDER BY ${persons} DESC, c.visits DESC) <= ${limit})
     SELECT best.*, d.value${hasGoal ? ', n.conversions' : ''} FROM best LEFT JOIN dict d USING (id)
     ${hasGoal ? 'LEFT JOIN conversions n ON n.kind = best.kind AND n.value = best.id' : ''}`,
  );
  return toBreakdowns((kind) => {
    const entries = rows
      .filter((row) => integer(row.kind) === kind)
      .map((row) => toVisitRow(row, hasGoal));
    return topRows(entries, 'visitors', 'visits', limit);
  });
}
