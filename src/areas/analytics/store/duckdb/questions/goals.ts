import type { DuckDBConnection } from '@duckdb/node-api';
import type { GoalFigures, GoalsAnswer, GoalsQuestion } from '../../questions.ts';
import type { Selection } from './selection.ts';
import { integer, type Row, type Session } from '../sql/session.ts';
import { readSelected } from './snapshot.ts';
import { type Steps, stepsOf } from './steps.ts';

/** SELECT of `step` and the columns from all events that are one, once for each step that they are. */
function done(
  { events }: Selection,
  { range }: GoalsQuestion,
  { word, holds, columns: filtered }: Steps,
  columns: readonly string[],
  more = '',
): string {
  const wanted = [...new Set(['name', 'pathname', ...columns, ...filtered])].join(', ');
  const conditions = holds.flatMap((condition, place) =>
    condition === undefined ? [] : [`WHEN ${place} THEN ${condition}`],
  );
  const where =
    conditions.length === 0 ? '' : ` WHERE CASE step ${conditions.join(' ')} ELSE true END`;
  return `SELECT step, ${columns.join(', ')} FROM (${events(wanted, range, more)}) e JOIN step_words ON word = ${word}${where}`;
}

async function revenueBy(session: Session, rows: string): Promise<Row[]> {
  return session.rows(
    `SELECT step, d.value, sum(revenue)::VARCHAR AS amount FROM (${rows}) r JOIN dict d ON d.id = r.currency GROUP BY step, d.value ORDER BY d.value`,
  );
}

/** Answers a question about goals from one snapshot of the store. */
export async function readGoals(
  connection: DuckDBConnection,
  question: GoalsQuestion,
  signal?: AbortSignal,
): Promise<GoalsAnswer> {
  const steps = stepsOf(question.steps);
  return readSelected(
    connection,
    question,
    async (session, selection) => {
      await session.run(`CREATE OR REPLACE TEMP TABLE step_words AS ${steps.words}`);
      const [visits] = await session.rows(
        `SELECT count(*) AS n FROM (${selection.visits('session_id', question.range)})`,
      );
      const counts =
        await session.rows(`SELECT step, count(*) AS events, count(DISTINCT nullif(visitor_id, 0)) AS visitors, count(DISTINCT nullif(session_id, 0)) AS visits
      FROM (${done(selection, question, steps, ['visitor_id', 'session_id'])}) GROUP BY step`);
      const revenue = await revenueBy(
        session,
        done(
          selection,
          question,
          steps,
          ['revenue', 'currency'],
          ' AND revenue IS NOT NULL AND currency <> 0',
        ),
      );
      const goals = question.steps.map((_, place): GoalFigures => {
        const found = counts.find(({ step }) => integer(step) === place);
        const sums = revenue
          .filter(({ step }) => integer(step) === place)
          .map(({ value, amount }) => ({ currency: String(value), amount: String(amount) }));
        return {
          visitors: integer(found?.visitors),
          visits: integer(found?.visits),
          events: integer(found?.events),
          revenue: sums,
        };
      });
      return { visits: integer(visits?.n), goals };
    },
    { ...steps, signal },
  );
}
