import { dayMs } from '../../../../../../lib/durations.ts';
import type { DashboardStoreQuery, Range, SeriesPoint } from '../../../queries.ts';
import { visitSeconds } from '../../sql/breakdown-kinds.ts';
import { dayCondition, rangesBesides } from '../../sql/days.ts';
import { siteCondition } from '../../sql/site-condition.ts';
import { slotMs } from '../../sql/slots.ts';
import { integer, type Row } from '../../sql/values.ts';
import type { Selection } from '../selection.ts';
import type { DashboardContext } from './context.ts';
import { repeatsByBucket } from './visitors.ts';

/** Sums that a table has by quarter of an hour, and that rows of a range can be summed to. */
interface SlotSums {
  table: string;
  names: readonly string[];
  /** SELECT of the bucket and the sums from the rows of a range. */
  ofRows: (range: Range) => string;
}

const visitSums = ({ bucket, visits }: Selection): SlotSums => ({
  table: 'visit_slots',
  names: ['visits', 'bounces', 'seconds'],
  ofRows: (range) =>
    `SELECT ${bucket('started')} AS bucket, count(*) AS visits,
       sum(bounce::INTEGER) AS bounces, sum(${visitSeconds}) AS seconds
     FROM (${visits('started, ended, bounce', range)}) GROUP BY 1`,
});

const eventSums = ({ bucket, events }: Selection): SlotSums => ({
  table: 'event_slots',
  names: ['pageviews', 'events'],
  ofRows: (range) =>
    `SELECT ${bucket('ts')} AS bucket, count(*) FILTER (name = 1) AS pageviews,
       count(*) FILTER (is_counted(name)) AS events
     FROM (${events('ts, name', range)}) GROUP BY 1`,
});

/** Summarised days that slots can answer: all of them, or none if a bucket begins within a slot. */
const daysInSlots = ({ range, buckets }: DashboardStoreQuery, days: readonly number[]) =>
  [range.to, ...buckets].every((ms) => ms % slotMs === 0) ? days : [];

/** The condition that a slot lies on one of these days; undefined for no days. */
export const slotCondition = (days: readonly number[]): string | undefined =>
  dayCondition(days, `(epoch_ms(slot) // ${dayMs})`);

/** SELECT of sums by bucket. */
function byBucket(
  { selection, query, days }: DashboardContext,
  { table, names, ofRows }: SlotSums,
): string {
  const used = daysInSlots(query, days);
  const sums = names.map((name) => `sum(${name}) AS ${name}`).join(', ');
  const parts = rangesBesides(query.range, used).map(ofRows);
  const summarised = slotCondition(used);
  if (summarised !== undefined)
    parts.push(
      `SELECT ${selection.bucket('slot')} AS bucket, ${sums} FROM ${table}
       WHERE ${siteCondition(query.siteId)} AND ${summarised} GROUP BY 1`,
    );
  return `SELECT bucket, ${sums} FROM (${parts.join(' UNION ALL ')}) GROUP BY bucket`;
}

const ofBucket = (rows: readonly Row[], index: number) =>
  rows.find((row) => integer(row.bucket) === index);

/** The series, with the sums of visits and of events by bucket that it is made of. */
export async function readSeries(
  context: DashboardContext,
): Promise<{ series: SeriesPoint[]; visitRows: readonly Row[]; eventRows: readonly Row[] }> {
  const { session, selection, query } = context;
  const visitRows = await session.rows(byBucket(context, visitSums(selection)));
  const eventRows = await session.rows(byBucket(context, eventSums(selection)));
  const repeatRows = await session.rows(repeatsByBucket(context));
  const series = query.buckets.map((_, index): SeriesPoint => {
    const event = ofBucket(eventRows, index);
    const visits = integer(ofBucket(visitRows, index)?.visits);
    return {
      visitors: visits - integer(ofBucket(repeatRows, index)?.repeats),
      visits,
      pageviews: integer(event?.pageviews),
      events: integer(event?.events),
    };
  });
  return { series, visitRows, eventRows };
}
