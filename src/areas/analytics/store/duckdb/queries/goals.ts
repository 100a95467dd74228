import type { DuckDBConnection } from '@duckdb/node-api';
import type { GoalFigures, GoalsResult, GoalsStoreQuery, Range } from '../../queries.ts';
import type { Session } from '../sql/session.ts';
import { integer, type Row } from '../sql/values.ts';
import type { Selection } from './selection.ts';
import { readSnapshot } from './snapshot.ts';
import { type Steps, compileSteps } from './steps.ts';

/**
 * Returns a SELECT of `step` and the columns: one row per event and step that it takes. Needs the
 * table of `prepareStepWords`.
 */
export function selectReached(
  events: Selection['events'],
  range: Range,
  steps: Steps,
  columns: readonly string[],
  more = '',
): string {
  const wanted = [...new Set(['name', 'pathname', ...columns, ...steps.columns])].join(', ');
  const branches = steps.conditions.flatMap((condition, index) =>
    condition === undefined ? [] : [`WHEN ${index} THEN ${condition}`],
  );
  const where = branches.length === 0 ? '' : ` WHERE CASE step ${branches.join(' ')} ELSE true END`;
  return `SELECT step, ${columns.join(', ')} FROM (${events(wanted, range, more)}) e
    JOIN step_words ON word = ${steps.word}${where}`;
}

/** Creates `step_words`, by which `selectReached` finds the events that take a step. */
export const prepareStepWords = (session: Session, { words }: Steps): Promise<void> =>
  session.run(`CREATE OR REPLACE TEMP TABLE step_words AS ${words}`);

/** Counts by step. Visits count if they began in the range, as those that they are a share of. */
const countByStep = (rows: string) =>
  `SELECT step, count(*) AS events, count(DISTINCT nullif(visitor_id, 0)) AS visitors,
     count(DISTINCT b.session_id) AS visits
   FROM (${rows}) r LEFT JOIN begun b USING (session_id) GROUP BY step`;

const revenueByStep = (rows: string) =>
  `SELECT step, d.value, sum(revenue)::VARCHAR AS amount
   FROM (${rows}) r JOIN dict d ON d.id = r.currency GROUP BY step, d.value ORDER BY d.value`;

function toFigures(index: number, counts: readonly Row[], revenue: readonly Row[]): GoalFigures {
  const found = counts.find(({ step }) => integer(step) === index);
  return {
    visitors: integer(found?.visitors),
    visits: integer(found?.visits),
    events: integer(found?.events),
    revenue: revenue
      .filter(({ step }) => integer(step) === index)
      .map(({ value, amount }) => ({ currency: String(value), amount: String(amount) })),
  };
}

async function readFigures(
  session: Session,
  selection: Selection,
  query: GoalsStoreQuery,
  steps: Steps,
): Promise<GoalsResult> {
  const { events } = selection;
  await prepareStepWords(session, steps);
  await session.run(
    `CREATE OR REPLACE TEMP TABLE begun AS ${selection.visits('session_id', query.range)}`,
  );
  const [visits] = await session.rows('SELECT count(*) AS n FROM begun');
  const counts = await session.rows(
    countByStep(selectReached(events, query.range, steps, ['visitor_id', 'session_id'])),
  );
  const hasRevenue = ' AND revenue IS NOT NULL AND currency <> 0';
  const revenue = await session.rows(
    revenueByStep(selectReached(events, query.range, steps, ['revenue', 'currency'], hasRevenue)),
  );
  return {
    visits: integer(visits?.n),
    goals: query.steps.map((_, index) => toFigures(index, counts, revenue)),
  };
}

/** Reads goals from one snapshot of the store. */
export async function readGoals(
  connection: DuckDBConnection,
  query: GoalsStoreQuery,
  signal?: AbortSignal,
): Promise<GoalsResult> {
  const steps = compileSteps(query.steps);
  return readSnapshot(
    connection,
    query,
    (session, selection) => readFigures(session, selection, query, steps),
    { ...steps, signal },
  );
}
