import type { DashboardQuestion } from '../../../questions.ts';
import { dayCondition, remainder, withinAny } from '../../sql/days.ts';
import { byKind, everyoneKind, kindColumns } from '../../sql/breakdown-kinds.ts';
import type { Selection } from '../selection.ts';
import { ofSites } from '../../sql/site-condition.ts';
import type { Session } from '../../sql/session.ts';

/**
 * Distinct visitors without a distinct over every visit. Days that have been added up know how many visitors they had
 * who came on no other day (`persons`); in the rest of the range each visit is taken for a visitor of its own.
 * `several` holds all visits of those for whom that is wrong: the regulars, and who came in the rest and another time.
 * They are taken out of both and counted exactly.
 */
export async function prepareSeveral(
  session: Session,
  selection: Selection,
  question: DashboardQuestion,
  days: readonly number[],
): Promise<void> {
  const { siteId, range } = question;
  const { visits, bucket } = selection;
  const rest = remainder(range, days);
  const isRegular = days.length === 0 ? 'false' : `visitor_id IN (${regularsOf(siteId)})`;
  await session.run(
    `CREATE OR REPLACE TEMP TABLE repeating AS ${repeating(selection, question, days)}`,
  );
  await session.run(`CREATE OR REPLACE TEMP TABLE several AS SELECT *, (${bucket('started')})::USMALLINT AS bucket, ${withinAny('started', rest)} AS rest, ${isRegular} AS regular
    FROM (${visits(`visitor_id, started, ${kindColumns.join(', ')}`, range)}) SEMI JOIN repeating USING (visitor_id)`);
}

const regularsOf = (siteId: DashboardQuestion['siteId']) =>
  `SELECT visitor_id FROM regulars WHERE ${ofSites(siteId)}`;

/** SELECT of the visitors whose visits have to be looked at one by one. */
function repeating(
  { visits }: Selection,
  { siteId, range }: DashboardQuestion,
  days: readonly number[],
): string {
  const all = visits('visitor_id', range);
  if (days.length === 0) return moreThanOnce(all);
  const rest = remainder(range, days)
    .map((part) => visits('visitor_id', part))
    .join(' UNION ALL ');
  if (rest === '') return regularsOf(siteId);
  return `${regularsOf(siteId)} UNION ${moreThanOnce(`SELECT visitor_id FROM (${all}) WHERE visitor_id IN (${rest})`)}`;
}

const moreThanOnce = (visitors: string) =>
  `SELECT visitor_id FROM (${visitors}) GROUP BY visitor_id HAVING count(*) > 1`;

/** SELECT of kind, value and what has to be added to the `persons` counted for them, for all kinds but durations. */
export function personsMissed(days: readonly number[]): string {
  // One after the other: with a distinct, grouping sets take three times as long.
  const exact = [...kindColumns, '0']
    .map(
      (
        column,
        place,
      ) => `SELECT ${column === '0' ? everyoneKind : place}::UTINYINT AS kind, ${column}::UINTEGER AS value,
    count(DISTINCT visitor_id) - count(*) FILTER (rest) AS missed FROM several GROUP BY value`,
    )
    .join(' UNION ALL ');
  if (days.length === 0) return exact;
  const twice = byKind({
    rows: 'FROM several WHERE NOT rest AND NOT regular',
    aggregates: '-count(DISTINCT visitor_id) AS missed',
  });
  return `SELECT kind, value, sum(missed) AS missed FROM (${exact} UNION ALL ${twice}) GROUP BY ALL`;
}

/** SELECT of bucket and what has to be taken from its visits to give its visitors. */
export function repeatsByBucket(
  { bucket }: Selection,
  { siteId }: DashboardQuestion,
  days: readonly number[],
): string {
  const summarised = dayCondition(days, 'day');
  const sameDay =
    summarised === undefined
      ? ''
      : `UNION ALL SELECT (${bucket('started')})::USMALLINT, visitor_id FROM repeat_starts
    WHERE ${ofSites(siteId)} AND ${summarised} AND visitor_id NOT IN (SELECT visitor_id FROM repeating)`;
  return `SELECT bucket, count(*) - count(DISTINCT visitor_id) AS repeats FROM (SELECT bucket, visitor_id FROM several ${sameDay}) GROUP BY bucket`;
}
