import type { DuckDBConnection } from '@duckdb/node-api';
import { dayMs } from '../../../../../../lib/durations.ts';
import type { DashboardResult, DashboardStoreQuery, Range } from '../../../queries.ts';
import type { Totals } from '../../../schemas.figures.ts';
import type { Session } from '../../sql/session.ts';
import { integer } from '../../sql/values.ts';
import { readSnapshot } from '../snapshot.ts';
import { emptyBreakdowns, prepareCounted, readBreakdowns } from './breakdowns.ts';
import type { DashboardContext } from './context.ts';
import { compileGoal, countConversions, prepareConversions, toConversions } from './conversions.ts';
import { readEventLists } from './event-lists.ts';
import { readLeftOut } from './left-out.ts';
import { readSeries } from './series.ts';
import { readSiteFigures } from './site-figures.ts';
import { readTotals, totalsFromSums } from './totals.ts';
import { prepareMissedVisitors, prepareSeveral } from './visitors.ts';
import { readVisitorsNow } from './visitors-now.ts';

type FiguresAndLists = Pick<
  DashboardResult,
  'totals' | 'series' | 'pages' | 'events' | 'breakdowns'
>;

/** Returns the full UTC days that have a summary; none if the query has filters or bots. */
async function summarisedDays(
  session: Session,
  { range, filters, bots }: DashboardStoreQuery,
): Promise<number[]> {
  if (filters.length > 0 || bots) return [];
  const rows = await session.rows(
    `SELECT day FROM summarised_days
     WHERE day >= ${Math.ceil(range.from / dayMs)} AND day < ${Math.floor(range.to / dayMs)}
     AND day < (SELECT epoch_ms(min(open_from)) // ${dayMs} FROM visit_state) ORDER BY day`,
  );
  return rows.map((row) => integer(row.day));
}

async function readFigures(context: DashboardContext): Promise<FiguresAndLists> {
  const { session, selection, query } = context;
  const { series } = await readSeries(context);
  return {
    totals: await readTotals(session, selection, query.range),
    series,
    pages: [],
    events: [],
    breakdowns: emptyBreakdowns(),
  };
}

async function readFiguresAndLists(context: DashboardContext): Promise<FiguresAndLists> {
  await prepareMissedVisitors(context);
  await prepareCounted(context);
  const { series, visitRows, eventRows } = await readSeries(context);
  const totals = await totalsFromSums(context.session, visitRows, eventRows);
  return {
    totals,
    series,
    ...(await readEventLists(context, totals.visits)),
    breakdowns: await readBreakdowns(context),
  };
}

const withConversions = (totals: Totals, conversions: number | undefined): Totals => ({
  ...totals,
  ...(conversions !== undefined && toConversions(conversions, totals.visits)),
});

/** Reads the totals of the compared range, with the conversions of the goal. */
async function readCompared(
  context: DashboardContext,
  range: Range | undefined,
): Promise<Totals | undefined> {
  if (range === undefined) return undefined;
  const { session, selection, goal } = context;
  const totals = await readTotals(session, selection, range);
  const conversions = goal === undefined ? undefined : await countConversions(context, range, goal);
  return withConversions(totals, conversions);
}

/** Reads a dashboard from one snapshot of the store. */
export async function readDashboard(
  connection: DuckDBConnection,
  query: DashboardStoreQuery,
  signal?: AbortSignal,
): Promise<DashboardResult> {
  const goal = compileGoal(query.goal);
  return readSnapshot(
    connection,
    query,
    async (session, selection) => {
      const days = await summarisedDays(session, query);
      const context = { session, selection, query, days, goal };
      const { compare, limit } = query;
      await prepareSeveral(context);
      const conversions = goal === undefined ? undefined : await prepareConversions(context, goal);
      const figures = await (limit === 0 ? readFigures : readFiguresAndLists)(context);
      return {
        ...figures,
        totals: withConversions(figures.totals, conversions),
        compared: await readCompared(context, compare),
        visitors_now: await readVisitorsNow(context),
        sites: await readSiteFigures(context),
        ...(await readLeftOut(context)),
      };
    },
    { ...goal, signal },
  );
}
