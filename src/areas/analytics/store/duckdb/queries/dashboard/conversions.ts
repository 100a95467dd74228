import type { Range, Step } from '../../../queries.ts';
import { byKind, everyoneKind, kindColumns } from '../../sql/breakdown-kinds.ts';
import { integer, type Row } from '../../sql/values.ts';
import { prepareStepWords, selectReached } from '../goals.ts';
import { compileSteps, type Steps } from '../steps.ts';
import type { DashboardContext } from './context.ts';
import { ratio } from './rankings.ts';

/** The figures that a goal adds to a row. */
export interface Conversions {
  conversions: number;
  /** Per cent; null without visits. */
  conversion_rate: number | null;
}

/** Returns the figures of a row with this many visits, of which some reached the goal. */
export const toConversions = (conversions: number, visits: number): Conversions => ({
  conversions,
  conversion_rate: ratio(100 * conversions, visits),
});

/** Compiles the goal of a dashboard. */
export const compileGoal = (goal: Step | undefined): Steps | undefined =>
  goal === undefined ? undefined : compileSteps([goal]);

/** Creates `reached`: the visits with an event of the range that takes the step. */
async function prepareReached(
  { session, selection }: DashboardContext,
  range: Range,
  goal: Steps,
): Promise<void> {
  const rows = selectReached(
    selection.allEvents,
    range,
    goal,
    ['session_id'],
    ' AND session_id <> 0',
  );
  await session.run(
    `CREATE OR REPLACE TEMP TABLE reached AS SELECT DISTINCT session_id FROM (${rows})`,
  );
}

/** Counts the selected visits of a range that reached the goal. */
export async function countConversions(
  context: DashboardContext,
  range: Range,
  goal: Steps,
): Promise<number> {
  const { session, selection } = context;
  await prepareStepWords(session, goal);
  await prepareReached(context, range, goal);
  const [row] = await session.rows(
    `SELECT count(*) AS n FROM (${selection.visits('session_id', range)})
     SEMI JOIN reached USING (session_id)`,
  );
  return integer(row?.n);
}

/**
 * Creates `reached`, and the tables of the selected visits that reached the goal: `converted`, and
 * `conversions`, their number by kind and value. Returns how many they are.
 */
export async function prepareConversions(context: DashboardContext, goal: Steps): Promise<number> {
  const { session, selection, query } = context;
  await prepareStepWords(session, goal);
  await prepareReached(context, query.range, goal);
  const visits = selection.visits(`session_id, started, ${kindColumns.join(', ')}`, query.range);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE converted AS
     SELECT * FROM (${visits}) SEMI JOIN reached USING (session_id)`,
  );
  await session.run(
    `CREATE OR REPLACE TEMP TABLE conversions AS
     ${byKind({ rows: 'FROM converted', aggregates: 'count(*)::UINTEGER AS conversions' })}`,
  );
  const [row] = await session.rows(
    `SELECT conversions AS n FROM conversions WHERE kind = ${everyoneKind}`,
  );
  return integer(row?.n);
}

/** Reads how many of `converted` began in each bucket. */
export const readConversionSeries = ({ session, selection }: DashboardContext): Promise<Row[]> =>
  session.rows(
    `SELECT ${selection.bucket('started')} AS bucket, count(*) AS conversions
     FROM converted GROUP BY 1`,
  );
