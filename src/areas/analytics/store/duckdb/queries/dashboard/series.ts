import { dayMs } from '../../../../../../lib/durations.ts';
import type { DashboardStoreQuery, Range } from '../../../queries.ts';
import type { SeriesPoint } from '../../../schemas.figures.ts';
import { visitSeconds } from '../../sql/breakdown-kinds.ts';
import { dayCondition, rangesWithout, slotMs } from '../../sql/days.ts';
import { siteCondition } from '../../sql/site-condition.ts';
import { integer, type Row } from '../../sql/values.ts';
import type { Selection } from '../selection.ts';
import type { DashboardContext } from './context.ts';
import { readConversionSeries } from './conversions.ts';
import { ratio } from './rankings.ts';
import { repeatsByBucket } from './visitors.ts';

/** Sums that a summary table holds by 15-minute slot, and that can also be computed from rows. */
interface SlotSums {
  table: string;
  names: readonly string[];
  /** Returns a SELECT of the bucket and the sums, computed from the rows of a range. */
  fromRows: (range: Range) => string;
}

const visitSums = ({ bucket, visits }: Selection): SlotSums => ({
  table: 'visit_slots',
  names: ['visits', 'bounces', 'seconds'],
  fromRows: (range) =>
    `SELECT ${bucket('started')} AS bucket, count(*) AS visits,
       sum(bounce::INTEGER) AS bounces, sum(${visitSeconds}) AS seconds
     FROM (${visits('started, ended, bounce', range)}) GROUP BY 1`,
});

const eventSums = ({ bucket, events }: Selection): SlotSums => ({
  table: 'event_slots',
  names: ['pageviews', 'events'],
  fromRows: (range) =>
    `SELECT ${bucket('ts')} AS bucket, count(*) FILTER (name = 1) AS pageviews,
       count(*) FILTER (is_counted(name)) AS events
     FROM (${events('ts, name', range)}) GROUP BY 1`,
});

/** Returns the summarised days that slots can cover: all, or none if a bucket splits a slot. */
const daysInSlots = ({ range, buckets }: DashboardStoreQuery, days: readonly number[]) =>
  [range.to, ...buckets].every((ms) => ms % slotMs === 0) ? days : [];

/** Returns the condition that a slot lies on one of these days; undefined for no days. */
export const slotCondition = (days: readonly number[]): string | undefined =>
  dayCondition(days, `(epoch_ms(slot) // ${dayMs})`);

/** Returns a SELECT of sums by bucket. */
function byBucket(
  { selection, query, days }: DashboardContext,
  { table, names, fromRows }: SlotSums,
): string {
  const used = daysInSlots(query, days);
  const sums = names.map((name) => `sum(${name}) AS ${name}`).join(', ');
  const parts = rangesWithout(query.range, used).map(fromRows);
  const summarised = slotCondition(used);
  if (summarised !== undefined)
    parts.push(
      `SELECT ${selection.bucket('slot')} AS bucket, ${sums} FROM ${table}
       WHERE ${siteCondition(query.siteId)} AND ${summarised} GROUP BY 1`,
    );
  return `SELECT bucket, ${sums} FROM (${parts.join(' UNION ALL ')}) GROUP BY bucket`;
}

const findBucket = (rows: readonly Row[], index: number) =>
  rows.find((row) => integer(row.bucket) === index);

/** Reads the series. Also returns the sums of visits and events by bucket that it is made from. */
export async function readSeries(
  context: DashboardContext,
): Promise<{ series: SeriesPoint[]; visitRows: readonly Row[]; eventRows: readonly Row[] }> {
  const { session, selection, query, goal } = context;
  const visitRows = await session.rows(byBucket(context, visitSums(selection)));
  const eventRows = await session.rows(byBucket(context, eventSums(selection)));
  const repeatRows = await session.rows(repeatsByBucket(context));
  const goalRows = goal === undefined ? undefined : await readConversionSeries(context);
  const series = query.buckets.map((_, index): SeriesPoint => {
    const event = findBucket(eventRows, index);
    const visit = findBucket(visitRows, index);
    const visits = integer(visit?.visits);
    const pageviews = integer(event?.pageviews);
    return {
      visitors: visits - integer(findBucket(repeatRows, index)?.repeats),
      visits,
      pageviews,
      events: integer(event?.events),
      bounce_rate: ratio(100 * integer(visit?.bounces), visits),
      visit_duration_mean: ratio(integer(visit?.seconds), visits),
      views_per_visit: ratio(pageviews, visits),
      ...(goalRows && { conversions: integer(findBucket(goalRows, index)?.conversions) }),
    };
  });
  return { series, visitRows, eventRows };
}
