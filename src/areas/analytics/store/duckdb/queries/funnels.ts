import type { DuckDBConnection } from '@duckdb/node-api';
import type { FunnelResult, FunnelStoreQuery, FunnelStepFigures } from '../../queries.ts';
import type { Session } from '../sql/session.ts';
import { decimal, integer } from '../sql/values.ts';
import type { Selection } from './selection.ts';
import { readSnapshot } from './snapshot.ts';
import { type Steps, compileSteps } from './steps.ts';

const ownerColumns = { visit: 'session_id', visitor: 'visitor_id' } as const;

/** Returns SQL of a bit mask of the steps that an event takes. */
function stepBits({ conditions }: Steps): string {
  const bits = conditions.map((condition, index) => {
    const bit = `bits & ${1 << index}`;
    return condition === undefined
      ? `(${bit})`
      : `CASE WHEN ${bit} = 0 THEN 0 WHEN ${condition} THEN ${1 << index} ELSE 0 END`;
  });
  return bits.join(' | ');
}

/** Creates `done`: events that take steps, with row number, owner, time and step bits. */
async function prepareDone(
  session: Session,
  { events }: Selection,
  { range, within }: FunnelStoreQuery,
  steps: Steps,
): Promise<void> {
  await session.run(
    `CREATE OR REPLACE TEMP TABLE step_words AS
     SELECT word, bit_or(1::USMALLINT << step)::USMALLINT AS bits FROM (${steps.words})
     GROUP BY word`,
  );
  const owner = ownerColumns[within];
  const base = `rowid AS number, ${owner} AS who, ts, name, pathname`;
  const columns = [base, ...steps.columns].join(', ');
  await session.run(
    `CREATE OR REPLACE TEMP TABLE done AS SELECT * FROM (
       SELECT number, who, epoch_ms(ts) AS ms, (${stepBits(steps)})::USMALLINT AS bits
       FROM (${events(columns, range, ` AND ${owner} <> 0`)}) e
       JOIN step_words ON word = ${steps.word})
     WHERE bits <> 0`,
  );
}

/**
 * Creates `ordered`: `done` with the position (`place`) of each event among those of its owner.
 * Events of the same millisecond are ordered by id (`nth`). Ids are long and random: reading all of
 * them would take longer than the rest of the query, so they are read only for equal times.
 */
async function prepareOrdered(session: Session): Promise<void> {
  await session.run(
    `CREATE OR REPLACE TEMP TABLE tied AS SELECT number FROM done SEMI JOIN (
       SELECT who, ms FROM done GROUP BY ALL HAVING count(*) > 1) t USING (who, ms)`,
  );
  const [tied] = await session.rows('SELECT count(*) AS n FROM tied');
  if (integer(tied?.n) === 0) {
    await session.run(
      `CREATE OR REPLACE TEMP VIEW ordered AS
       SELECT who, ms, ms::HUGEINT AS place, bits FROM done`,
    );
    return;
  }
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ordered AS
     SELECT who, ms, ms::HUGEINT * 4294967296 + coalesce(nth, 0) AS place, bits
     FROM done LEFT JOIN (
       SELECT d.number, row_number() OVER (PARTITION BY d.who, d.ms ORDER BY e.event_id) AS nth
       FROM done d JOIN (
         SELECT rowid AS number, event_id FROM events WHERE rowid IN (FROM tied)) e USING (number))
     USING (number)`,
  );
}

/**
 * Reads one step into `reached`: the owners that took it, at their earliest position after the
 * previous step. `ahead` holds only the events after the previous step, so that every step reads
 * fewer rows.
 */
async function readStep(session: Session, step: number): Promise<FunnelStepFigures> {
  if (step > 0)
    await session.run(
      `CREATE OR REPLACE TEMP TABLE ahead AS
       SELECT a.who, a.ms, a.place, a.bits, r.ms AS since
       FROM ${step === 1 ? 'ordered' : 'ahead'} a JOIN reached r USING (who)
       WHERE a.place > r.place`,
    );
  await session.run(
    `CREATE OR REPLACE TEMP TABLE reached AS
     SELECT who, min(place) AS place, min(ms) AS ms,
       ${step === 0 ? 'NULL::BIGINT' : 'min(ms) - any_value(since)'} AS took
     FROM ${step === 0 ? 'ordered' : 'ahead'} WHERE bits & ${1 << step} <> 0 GROUP BY who`,
  );
  const [row] = await session.rows('SELECT count(*) AS entered, median(took) AS took FROM reached');
  const took = decimal(row?.took);
  return { entered: integer(row?.entered), medianSeconds: took === null ? null : took / 1000 };
}

/** Reads a funnel from one snapshot of the store. */
export async function readFunnel(
  connection: DuckDBConnection,
  query: FunnelStoreQuery,
  signal?: AbortSignal,
): Promise<FunnelResult> {
  const prepared = compileSteps(query.steps);
  return readSnapshot(
    connection,
    query,
    async (session, selection) => {
      await prepareDone(session, selection, query, prepared);
      await prepareOrdered(session);
      const steps: FunnelStepFigures[] = [];
      for (const step of query.steps.keys()) steps.push(await readStep(session, step));
      return { steps };
    },
    { ...prepared, signal },
  );
}
