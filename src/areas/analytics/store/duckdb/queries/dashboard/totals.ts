import type { Range } from '../../../queries.ts';
import type { Totals } from '../../../schemas.figures.ts';
import { durationKind, everyoneKind, visitSeconds } from '../../sql/breakdown-kinds.ts';
import type { Session } from '../../sql/session.ts';
import { integer, type Row } from '../../sql/values.ts';
import type { Selection } from '../selection.ts';
import { medianOf, ratio } from './rankings.ts';

interface VisitSums {
  visits: number;
  visitors: number;
  bounces: number;
  seconds: number;
  median: number | null;
}

function toTotals(sums: VisitSums, events: { pageviews: number; events: number }): Totals {
  const { visits, visitors } = sums;
  return {
    visitors,
    visits,
    ...events,
    bounce_rate: ratio(100 * sums.bounces, visits),
    visit_duration_mean: ratio(sums.seconds, visits),
    visit_duration_median: sums.median,
    views_per_visit: ratio(events.pageviews, visits),
  };
}

const sum = (rows: readonly Row[], name: string) =>
  rows.reduce((total, row) => total + integer(row[name]), 0);

/** Computes totals from the sums of the series and the table `counted`. */
export async function totalsFromSums(
  session: Session,
  visitRows: readonly Row[],
  eventRows: readonly Row[],
): Promise<Totals> {
  const everyone = await session.rows(
    `SELECT c.persons + coalesce(m.missed, 0) AS visitors
     FROM counted c LEFT JOIN missed m USING (kind, value) WHERE c.kind = ${everyoneKind}`,
  );
  const durations = await session.rows(
    `SELECT value AS seconds, visits AS n FROM counted WHERE kind = ${durationKind}`,
  );
  return toTotals(
    {
      visits: sum(visitRows, 'visits'),
      visitors: sum(everyone, 'visitors'),
      bounces: sum(visitRows, 'bounces'),
      seconds: sum(visitRows, 'seconds'),
      median: medianOf(durations),
    },
    { pageviews: sum(eventRows, 'pageviews'), events: sum(eventRows, 'events') },
  );
}

/** Reads the totals of a range without the tables that lists need. */
export async function readTotals(
  session: Session,
  { visits, events }: Selection,
  range: Range,
): Promise<Totals> {
  const [visit] = await session.rows(
    `SELECT count(*) AS visits, count(DISTINCT visitor_id) AS visitors,
       sum(bounce::INTEGER) AS bounces, sum(${visitSeconds}) AS seconds
     FROM (${visits('started, ended, bounce, visitor_id', range)})`,
  );
  const [event] = await session.rows(
    `SELECT count(*) FILTER (name = 1) AS pageviews, count(*) FILTER (is_counted(name)) AS events
     FROM (${events('name', range)})`,
  );
  const durations = await session.rows(
    `SELECT ${visitSeconds} AS seconds, count(*) AS n
     FROM (${visits('started, ended', range)}) GROUP BY 1`,
  );
  return toTotals(
    {
      visits: integer(visit?.visits),
      visitors: integer(visit?.visitors),
      bounces: integer(visit?.bounces),
      seconds: integer(visit?.seconds),
      median: medianOf(durations),
    },
    { pageviews: integer(event?.pageviews), events: integer(event?.events) },
  );
}
