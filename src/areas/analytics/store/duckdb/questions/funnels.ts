import type { DuckDBConnection } from '@duckdb/node-api';
import type { FunnelAnswer, FunnelQuestion, FunnelStepFigures } from '../../questions.ts';
import type { Selection } from './selection.ts';
import { integer, type Session } from '../sql/session.ts';
import { readSelected } from './snapshot.ts';
import { type Steps, stepsOf } from './steps.ts';

const whose = { visit: 'session_id', visitor: 'visitor_id' } as const;

/** `done`: the events that are steps, with their row's number, whose they are, their time, and a bit for each step that they are. */
async function prepareDone(
  session: Session,
  { events }: Selection,
  { range, within }: FunnelQuestion,
  { words, word, holds, columns }: Steps,
): Promise<void> {
  await session.run(
    `CREATE OR REPLACE TEMP TABLE step_words AS SELECT word, bit_or(1::USMALLINT << step)::USMALLINT AS bits FROM (${words}) GROUP BY word`,
  );
  const bits = holds.map((condition, place) => {
    const bit = `bits & ${1 << place}`;
    return condition === undefined
      ? `(${bit})`
      : `CASE WHEN ${bit} = 0 THEN 0 WHEN ${condition} THEN ${1 << place} ELSE 0 END`;
  });
  const wanted = [
    'rowid AS number',
    `${whose[within]} AS who`,
    'ts',
    'name',
    'pathname',
    ...columns,
  ].join(', ');
  await session.run(`CREATE OR REPLACE TEMP TABLE done AS SELECT * FROM (SELECT number, who, epoch_ms(ts) AS ms, (${bits.join(' | ')})::USMALLINT AS bits
    FROM (${events(wanted, range, ` AND ${whose[within]} <> 0`)}) e JOIN step_words ON word = ${word}) WHERE bits <> 0`);
}

/**
 * `ordered`: `done` with the place of each event among those of its owner, `nth` telling those of one millisecond apart.
 * Ids are long and random, and reading all takes longer than everything else: they are read only where times are equal.
 */
async function prepareOrdered(session: Session): Promise<void> {
  await session.run(
    'CREATE OR REPLACE TEMP TABLE tied AS SELECT number FROM done SEMI JOIN (SELECT who, ms FROM done GROUP BY ALL HAVING count(*) > 1) t USING (who, ms)',
  );
  const [tied] = await session.rows('SELECT count(*) AS n FROM tied');
  if (integer(tied?.n) === 0) {
    await session.run(
      'CREATE OR REPLACE TEMP VIEW ordered AS SELECT who, ms, ms::HUGEINT AS place, bits FROM done',
    );
    return;
  }
  await session.run(`CREATE OR REPLACE TEMP TABLE ordered AS SELECT who, ms, ms::HUGEINT * 4294967296 + coalesce(nth, 0) AS place, bits FROM done LEFT JOIN (
    SELECT d.number, row_number() OVER (PARTITION BY d.who, d.ms ORDER BY e.event_id) AS nth FROM done d JOIN (SELECT rowid AS number, event_id FROM events WHERE rowid IN (FROM tied)) e USING (number)) USING (number)`);
}

/**
 * `reached`: whose events reached the step, and where: the earliest place after that of the step before.
 * `ahead`: what those who reached the step before did after it: ever less is looked at.
 */
async function advance(session: Session, step: number): Promise<FunnelStepFigures> {
  const from = step === 1 ? 'ordered' : 'ahead';
  if (step > 0)
    await session.run(
      `CREATE OR REPLACE TEMP TABLE ahead AS SELECT a.who, a.ms, a.place, a.bits, r.ms AS since FROM ${from} a JOIN reached r USING (who) WHERE a.place > r.place`,
    );
  await session.run(`CREATE OR REPLACE TEMP TABLE reached AS SELECT who, min(place) AS place, min(ms) AS ms, ${step === 0 ? 'NULL::BIGINT' : 'min(ms) - any_value(since)'} AS took
    FROM ${step === 0 ? 'ordered' : 'ahead'} WHERE bits & ${1 << step} <> 0 GROUP BY who`);
  const [row] = await session.rows('SELECT count(*) AS entered, median(took) AS took FROM reached');
  return {
    entered: integer(row?.entered),
    medianSeconds: row?.took == null ? null : Number(row.took) / 1000,
  };
}

/** Answers a question about a funnel from one snapshot of the store. */
export async function readFunnel(
  connection: DuckDBConnection,
  question: FunnelQuestion,
  signal?: AbortSignal,
): Promise<FunnelAnswer> {
  const prepared = stepsOf(question.steps);
  return readSelected(
    connection,
    question,
    async (session, selection) => {
      await prepareDone(session, selection, question, prepared);
      await prepareOrdered(session);
      const steps: FunnelStepFigures[] = [];
      for (const step of question.steps.keys()) steps.push(await advance(session, step));
      return { steps };
    },
    { ...prepared, signal },
  );
}
