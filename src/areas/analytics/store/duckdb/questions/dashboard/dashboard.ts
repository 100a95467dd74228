import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type DashboardAnswer,
  type DashboardQuestion,
  type Range,
  type SeriesPoint,
  type SiteFigures,
  type Totals,
  type VisitBreakdown,
  visitBreakdowns,
  type VisitRow,
} from '../../../questions.ts';
import { readEventLists } from './event-lists.ts';
import { type Selection, visitorsNowMs } from '../selection.ts';
import { dayCondition, remainder } from '../../sql/days.ts';
import {
  countedColumns,
  countVisits,
  durationKind,
  everyoneKind,
  kindColumns,
  visitSeconds,
} from '../../sql/breakdown-kinds.ts';
import { medianOf, ranked } from './rankings.ts';
import { integer, type Row, type Session, textOf, timeLiteral } from '../../sql/session.ts';
import { readSelected } from '../snapshot.ts';
import { ofSites } from '../../sql/site-condition.ts';
import { slotMs } from '../../writing/summaries.ts';
import { personsMissed, prepareSeveral, repeatsByBucket } from './visitors.ts';
import { dayMs } from '../../../../../../lib/durations.ts';

const per = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : (100 * part) / whole;
const dimensionColumns = Object.entries(visitBreakdowns) as [VisitBreakdown, string][];

/** Full UTC days of the range that have been added up, if the question is one they can answer. */
async function summarisedDays(
  session: Session,
  { range, filters, bots }: DashboardQuestion,
): Promise<number[]> {
  if (filters.length > 0 || bots) return [];
  const rows =
    await session.rows(`SELECT day FROM summarised_days WHERE day >= ${Math.ceil(range.from / dayMs)} AND day < ${Math.floor(range.to / dayMs)}
    AND day < (SELECT epoch_ms(min(open_from)) // ${dayMs} FROM visit_state) ORDER BY day`);
  return rows.map((row) => integer(row.day));
}

/** `counted`: visits, bounces and persons by kind and value, from the days added up and the visits of the other days. */
async function prepareCounted(
  session: Session,
  selection: Selection,
  question: DashboardQuestion,
  days: readonly number[],
): Promise<void> {
  const rest = remainder(question.range, days)
    .map((range) => selection.visits(countedColumns, range))
    .join(' UNION ALL ');
  const parts = rest === '' ? [] : [countVisits(rest, 'count(*)')];
  const summarised = dayCondition(days, 'day');
  if (summarised !== undefined)
    parts.push(
      `SELECT kind, value, visits, bounces, persons FROM visit_days WHERE ${ofSites(question.siteId)} AND ${summarised}`,
    );
  await session.run(`CREATE OR REPLACE TEMP TABLE counted AS SELECT kind, value, sum(visits)::UINTEGER AS visits, sum(bounces)::UINTEGER AS bounces,
    sum(persons)::INTEGER AS persons FROM (${parts.join(' UNION ALL ')}) GROUP BY kind, value`);
}

type Figures = Pick<DashboardAnswer, 'totals' | 'series'>;
type Lists = Pick<DashboardAnswer, 'pages' | 'events' | 'breakdowns'>;

interface VisitFigures {
  visits: number;
  bounces: number;
  seconds: number;
}

function totalsOf(
  visit: VisitFigures & { visitors: number; median: number | null },
  events: { pageviews: number; events: number },
): Totals {
  const bounceRate = percent(visit.bounces, visit.visits);
  return {
    visitors: visit.visitors,
    visits: visit.visits,
    ...events,
    bounce_rate: bounceRate,
    visit_duration_mean: per(visit.seconds, visit.visits),
    visit_duration_median: visit.median,
    views_per_visit: per(events.pageviews, visit.visits),
  };
}

const seconds = visitSeconds;
const histogram = ({ visits }: Selection, range: Range) =>
  `SELECT ${seconds} AS seconds, count(*) AS n FROM (${visits('started, ended', range)}) GROUP BY 1`;

const sum = (rows: readonly Row[], name: string) =>
  rows.reduce((total, row) => total + integer(row[name]), 0);

/** The days that buckets can take from quarter-hours that have been added up: all or none, as they consist of them or not. */
const slotted = (
  { range, buckets }: DashboardQuestion,
  days: readonly number[],
): readonly number[] => ([range.to, ...buckets].every((ms) => ms % slotMs === 0) ? days : []);

const slotDays = (days: readonly number[]) => dayCondition(days, `(epoch_ms(slot) // ${dayMs})`);

interface SlotSums {
  /** Table with sums by quarter of an hour, and the sums wanted of it. */
  table: string;
  sums: readonly string[];
  /** SELECT of the bucket and the same sums from rows of a range. */
  rows: (range: Range) => string;
}

/** SELECT of sums by bucket. */
function byBucket(
  selection: Selection,
  question: DashboardQuestion,
  days: readonly number[],
  { table, sums, rows }: SlotSums,
): string {
  const used = slotted(question, days);
  const wanted = sums.map((name) => `sum(${name}) AS ${name}`).join(', ');
  const parts = remainder(question.range, used).map(rows);
  const summarised = slotDays(used);
  if (summarised !== undefined)
    parts.push(
      `SELECT ${selection.bucket('slot')} AS bucket, ${wanted} FROM ${table} WHERE ${ofSites(question.siteId)} AND ${summarised} GROUP BY 1`,
    );
  return `SELECT bucket, ${wanted} FROM (${parts.join(' UNION ALL ')}) GROUP BY bucket`;
}

const eventSums = ({ bucket, events }: Selection): SlotSums => ({
  table: 'event_slots',
  sums: ['pageviews', 'events'],
  rows: (range) =>
    `SELECT ${bucket('ts')} AS bucket, count(*) FILTER (name = 1) AS pageviews, count(*) FILTER (is_counted(name)) AS events FROM (${events('ts, name', range)}) GROUP BY 1`,
});

const visitSums = ({ bucket, visits }: Selection): SlotSums => ({
  table: 'visit_slots',
  sums: ['visits', 'bounces', 'seconds'],
  rows: (
    range,
  ) => `SELECT ${bucket('started')} AS bucket, count(*) AS visits, sum(bounce::INTEGER) AS bounces, sum(${seconds}) AS seconds
    FROM (${visits('started, ended, bounce', range)}) GROUP BY 1`,
});

/** The series, with the sums of visits and of events that it is made of. */
async function seriesOf(
  session: Session,
  selection: Selection,
  question: DashboardQuestion,
  days: readonly number[],
): Promise<{ series: SeriesPoint[]; visitRows: readonly Row[]; eventRows: readonly Row[] }> {
  const visitRows = await session.rows(byBucket(selection, question, days, visitSums(selection)));
  const eventRows = await session.rows(byBucket(selection, question, days, eventSums(selection)));
  const repeatRows = await session.rows(repeatsByBucket(selection, question, days));
  const find = (rows: readonly Row[], index: number) =>
    rows.find((row) => integer(row.bucket) === index);
  const series = question.buckets.map((_, index): SeriesPoint => {
    const event = find(eventRows, index);
    const visits = integer(find(visitRows, index)?.visits);
    return {
      visitors: visits - integer(find(repeatRows, index)?.repeats),
      visits,
      pageviews: integer(event?.pageviews),
      events: integer(event?.events),
    };
  });
  return { series, visitRows, eventRows };
}

async function seriesAndTotals(
  session: Session,
  selection: Selection,
  question: DashboardQuestion,
  days: readonly number[],
): Promise<Figures> {
  const { series, visitRows, eventRows } = await seriesOf(session, selection, question, days);
  const everyone = await session.rows(
    `SELECT c.persons + coalesce(m.missed, 0) AS visitors FROM counted c LEFT JOIN missed m USING (kind, value) WHERE c.kind = ${everyoneKind}`,
  );
  const median = medianOf(
    await session.rows(
      `SELECT value AS seconds, visits AS n FROM counted WHERE kind = ${durationKind}`,
    ),
  );
  const visits = sum(visitRows, 'visits');
  const figures = {
    visits,
    visitors: sum(everyone, 'visitors'),
    bounces: sum(visitRows, 'bounces'),
    seconds: sum(visitRows, 'seconds'),
    median,
  };
  return {
    totals: totalsOf(figures, {
      pageviews: sum(eventRows, 'pageviews'),
      events: sum(eventRows, 'events'),
    }),
    series,
  };
}

/** Totals of a range by themselves, without what the lists have to have ready. */
async function totalsAlone(session: Session, selection: Selection, range: Range): Promise<Totals> {
  const [visit] =
    await session.rows(`SELECT count(*) AS visits, count(DISTINCT visitor_id) AS visitors, sum(bounce::INTEGER) AS bounces,
    sum(${seconds}) AS seconds FROM (${selection.visits('started, ended, bounce, visitor_id', range)})`);
  const [event] = await session.rows(
    `SELECT count(*) FILTER (name = 1) AS pageviews, count(*) FILTER (is_counted(name)) AS events FROM (${selection.events('name', range)})`,
  );
  const median = medianOf(await session.rows(histogram(selection, range)));
  return totalsOf(
    {
      visits: integer(visit?.visits),
      visitors: integer(visit?.visitors),
      bounces: integer(visit?.bounces),
      seconds: integer(visit?.seconds),
      median,
    },
    { pageviews: integer(event?.pageviews), events: integer(event?.events) },
  );
}

// What a visit may lack is no row of these lists; elsewhere it is the row "not known".
const mayLack: ReadonlySet<string> = new Set([
  'entry_page',
  'exit_page',
  'referrer',
  'utm_campaign',
]);

async function breakdowns(
  session: Session,
  { limit }: DashboardQuestion,
): Promise<DashboardAnswer['breakdowns']> {
  const lacking = kindColumns.flatMap((column, kind) => (mayLack.has(column) ? [kind] : []));
  const rows =
    await session.rows(`WITH best AS (SELECT c.kind, c.value AS id, c.visits, c.bounces, c.persons + coalesce(m.missed, 0) AS persons
      FROM counted c LEFT JOIN missed m USING (kind, value)
      WHERE c.kind < ${durationKind} AND NOT (c.value = 0 AND c.kind IN (${lacking.join(', ')}))
      QUALIFY rank() OVER (PARTITION BY c.kind ORDER BY c.persons + coalesce(m.missed, 0) DESC, c.visits DESC) <= ${limit})
    SELECT best.*, d.value FROM best LEFT JOIN dict d USING (id)`);
  const lists = dimensionColumns.map(([name], kind): [VisitBreakdown, VisitRow[]] => {
    const entries = rows
      .filter((row) => integer(row.kind) === kind)
      .map((row) => ({
        value: textOf(row),
        visitors: integer(row.persons),
        visits: integer(row.visits),
        bounce_rate: (100 * integer(row.bounces)) / integer(row.visits),
      }));
    return [name, ranked(entries, 'visitors', 'visits', limit)];
  });
  return Object.fromEntries(lists) as DashboardAnswer['breakdowns'];
}

async function leftOut(
  session: Session,
  { botEvents }: Selection,
  { siteId, range }: DashboardQuestion,
  days: readonly number[],
): Promise<Pick<DashboardAnswer, 'dropped' | 'bot_events'>> {
  const drops = await session.rows(
    `SELECT reason, sum(n) AS n FROM dropped WHERE (site_id = 0 OR ${ofSites(siteId)}) AND hour >= ${timeLiteral(range.from)} AND hour < ${timeLiteral(range.to)} GROUP BY 1 ORDER BY 1`,
  );
  const parts = remainder(range, days).map(
    (left) => `SELECT count(*) AS n FROM (${botEvents('ts', left)})`,
  );
  const summarised = slotDays(days);
  if (summarised !== undefined)
    parts.push(
      `SELECT sum(bot_events) AS n FROM event_slots WHERE ${ofSites(siteId)} AND ${summarised}`,
    );
  const [bots] = await session.rows(`SELECT sum(n) AS n FROM (${parts.join(' UNION ALL ')})`);
  return {
    dropped: Object.fromEntries(drops.map((row) => [String(row.reason), integer(row.n)])),
    bot_events: integer(bots?.n),
  };
}

async function visitorsNow(
  session: Session,
  { events }: Selection,
  { now }: DashboardQuestion,
): Promise<number> {
  // Clocks of clients may be a little ahead.
  const recent = events(
    'visitor_id',
    { from: now - visitorsNowMs, to: now + dayMs },
    ' AND visitor_id <> 0',
  );
  const [row] = await session.rows(`SELECT count(DISTINCT visitor_id) AS n FROM (${recent})`);
  return integer(row?.n);
}

/** What each of several sites adds. Visitors are of one site each, so theirs add up to all. */
async function figuresOfSites(
  session: Session,
  { visits, events }: Selection,
  { siteId, range }: DashboardQuestion,
): Promise<SiteFigures[]> {
  if (typeof siteId === 'number') return [];
  const rows =
    await session.rows(`SELECT site_id, sum(visitors) AS visitors, sum(visits) AS visits, sum(pageviews) AS pageviews, sum(n) AS events FROM (
    SELECT site_id, count(DISTINCT visitor_id) AS visitors, count(*) AS visits, 0 AS pageviews, 0 AS n FROM (${visits('site_id, visitor_id', range)}) GROUP BY 1
    UNION ALL SELECT site_id, 0, 0, count(*) FILTER (name = 1), count(*) FILTER (is_counted(name)) FROM (${events('site_id, name', range)}) GROUP BY 1) GROUP BY 1`);
  return rows.map((row) => ({
    siteId: integer(row.site_id),
    visitors: integer(row.visitors),
    visits: integer(row.visits),
    pageviews: integer(row.pageviews),
    events: integer(row.events),
  }));
}

async function figuresAlone(
  session: Session,
  selection: Selection,
  question: DashboardQuestion,
  days: readonly number[],
): Promise<Figures & Lists> {
  const { series } = await seriesOf(session, selection, question, days);
  const none = Object.fromEntries(
    dimensionColumns.map(([name]): [VisitBreakdown, VisitRow[]] => [name, []]),
  ) as DashboardAnswer['breakdowns'];
  return {
    totals: await totalsAlone(session, selection, question.range),
    series,
    pages: [],
    events: [],
    breakdowns: none,
  };
}

async function figuresAndLists(
  session: Session,
  selection: Selection,
  question: DashboardQuestion,
  days: readonly number[],
): Promise<Figures & Lists> {
  await session.run(`CREATE OR REPLACE TEMP TABLE missed AS ${personsMissed(days)}`);
  await prepareCounted(session, selection, question, days);
  const { totals, series } = await seriesAndTotals(session, selection, question, days);
  return {
    totals,
    series,
    ...(await readEventLists(session, selection, question, days, totals.visits)),
    breakdowns: await breakdowns(session, question),
  };
}

/** Answers a dashboard question from one snapshot of the store. */
export async function readDashboard(
  connection: DuckDBConnection,
  question: DashboardQuestion,
  signal?: AbortSignal,
): Promise<DashboardAnswer> {
  return readSelected(
    connection,
    question,
    async (session, selection) => {
      const days = await summarisedDays(session, question);
      await prepareSeveral(session, selection, question, days);
      return {
        ...(await (question.limit === 0 ? figuresAlone : figuresAndLists)(
          session,
          selection,
          question,
          days,
        )),
        compared:
          question.compare === undefined
            ? undefined
            : await totalsAlone(session, selection, question.compare),
        visitors_now: await visitorsNow(session, selection, question),
        sites: await figuresOfSites(session, selection, question),
        ...(await leftOut(session, selection, question, days)),
      };
    },
    { signal },
  );
}
