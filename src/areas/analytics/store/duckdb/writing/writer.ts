import type { DuckDBConnection } from '@duckdb/node-api';
import type { Position } from '../../../../../platform/journal/position.ts';
import type { DropRow, EventRow, SiteVisitor, Visit, VisitMemory } from '../../events.ts';
import { deleteBefore } from './deletion.ts';
import type { Dictionary } from './dictionary.ts';
import { appendEvents, collectTexts } from './event-appender.ts';
import { invalidateLateDays, summariseDays } from './summaries.ts';
import { readOpenVisits, recutVisits, reopenVisits, timestamp, writeVisits } from './visits.ts';

/** What one transaction adds. */
export interface EventBatch {
  rows: readonly EventRow[];
  drops: readonly DropRow[];
  /** The journal up to here is in this batch or in earlier ones. */
  position: Position;
  /** Visitors with an event that came too late to know its visit: all their visits are cut anew. */
  late: readonly SiteVisitor[];
  /** Client-named visits that go on, perhaps after they were closed. */
  reopened: readonly bigint[];
  /** Earliest event of an open visit of this batch, if before every instant given so far. */
  openFrom: number | undefined;
}

/** Visits that a batch brought back, or cut anew and left open, for the memory of open visits. */
export interface AppendResult {
  reopened: Visit[];
  recut: Visit[];
}

export interface WriterDeps {
  /** Used by nobody else. */
  connection: DuckDBConnection;
  dictionary: Dictionary;
  /** A visitor's events farther apart than this belong to different visits. */
  gapMs: number;
}

async function transaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN');
  try {
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    // A failed COMMIT has already ended the transaction; ROLLBACK then has nothing to do.
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function appendDrops(connection: DuckDBConnection, drops: readonly DropRow[]): Promise<void> {
  for (const { siteId, hour, reason, count } of drops) {
    await connection.run('INSERT INTO dropped VALUES ($1, $2, $3, $4)', [
      siteId,
      timestamp(hour),
      reason,
      BigInt(count),
    ]);
  }
}

/** A reopened visit stays its first visitor's. */
function withFirstVisitor(
  rows: readonly EventRow[],
  reopened: readonly Visit[],
): readonly EventRow[] {
  if (reopened.length === 0) return rows;
  const visitors = new Map(reopened.map(({ session, visitor }) => [session, visitor]));
  return rows.map((row) => ({ ...row, visitor: visitors.get(row.session) ?? row.visitor }));
}

/** Notes that visits which began at these times (Unix ms) are open. */
async function noteOpen(connection: DuckDBConnection, times: readonly number[]): Promise<void> {
  if (times.length === 0) return;
  const from = timestamp(times.reduce((earliest, time) => Math.min(earliest, time)));
  // Until a visit has been closed there is no bound: open visits may have begun at any time.
  await connection.run('INSERT INTO visit_state SELECT $1 WHERE EXISTS (FROM visit_state)', [from]);
}

/** Cuts the visits of late visitors anew. Returns those that are open. */
async function recutLate(
  { connection, gapMs }: WriterDeps,
  late: readonly SiteVisitor[],
  keepOpenFrom: number,
): Promise<Visit[]> {
  if (late.length === 0) return [];
  const visits = await recutVisits(connection, late, gapMs);
  await writeVisits(
    connection,
    visits.filter((visit) => visit.last < keepOpenFrom),
  );
  const open = visits.filter((visit) => visit.last >= keepOpenFrom);
  await noteOpen(
    connection,
    open.map((visit) => visit.first),
  );
  await connection.run('INSERT INTO visit_memory VALUES ($1)', [timestamp(keepOpenFrom)]);
  return open;
}

async function write(
  deps: WriterDeps,
  batch: EventBatch,
  keepOpenFrom: number,
): Promise<AppendResult> {
  const { connection, dictionary } = deps;
  await dictionary.resolve(connection);
  const reopened =
    batch.reopened.length === 0 ? [] : await reopenVisits(connection, batch.reopened);
  await appendEvents(connection, dictionary, withFirstVisitor(batch.rows, reopened));
  await invalidateLateDays(connection, batch.rows);
  await appendDrops(connection, batch.drops);
  await noteOpen(connection, [
    ...reopened.map((visit) => visit.first),
    ...(batch.openFrom === undefined ? [] : [batch.openFrom]),
  ]);
  const recut = await recutLate(deps, batch.late, keepOpenFrom);
  await connection.run('INSERT INTO ingest_state VALUES ($1, $2)', [
    BigInt(batch.position.segment),
    BigInt(batch.position.offset),
  ]);
  return { reopened, recut };
}

const lastPosition = `SELECT segment, "offset" FROM ingest_state
  ORDER BY segment DESC, "offset" DESC LIMIT 1`;

async function readPosition(connection: DuckDBConnection): Promise<Position | undefined> {
  const row = (await connection.runAndReadAll(lastPosition)).getRows()[0];
  return row === undefined ? undefined : { segment: Number(row[0]), offset: Number(row[1]) };
}

async function closeVisits(
  connection: DuckDBConnection,
  visits: readonly Visit[],
  { openFrom, completeFrom }: VisitMemory,
): Promise<void> {
  await writeVisits(connection, visits);
  await connection.run('DELETE FROM visit_state');
  await connection.run('INSERT INTO visit_state VALUES ($1)', [timestamp(openFrom)]);
  await connection.run('DELETE FROM visit_memory');
  await connection.run('INSERT INTO visit_memory VALUES ($1)', [timestamp(completeFrom)]);
}

/** The writing side of the event store. */
export function createEventWriter(deps: WriterDeps) {
  const { connection, dictionary } = deps;
  const inTransaction = <T>(work: () => Promise<T>) => transaction(connection, work);
  return {
    /** The journal position of the last committed batch; undefined for an empty store. */
    position: () => readPosition(connection),

    /** Forgets the position, for a journal that begins anew. */
    async forgetPosition(): Promise<void> {
      await connection.run('DELETE FROM ingest_state');
    },

    /**
     * Commits a batch: rows, drop counts and position, together or not at all. Visits that end at
     * `keepOpenFrom` (Unix ms) or later stay open.
     */
    async append(batch: EventBatch, keepOpenFrom: number): Promise<AppendResult> {
      collectTexts(dictionary, batch.rows);
      try {
        return await inTransaction(() => write(deps, batch, keepOpenFrom));
      } catch (error) {
        await dictionary.reset(connection);
        throw error;
      }
    },

    /** Visits that have not been closed, and from when on they are all that matter. */
    async openVisits(): Promise<{ visits: Visit[]; completeFrom: number }> {
      const result = await connection.runAndReadAll(
        'SELECT epoch_ms(max(complete_from)) FROM visit_memory',
      );
      const completeFrom = Number(result.getRows()[0]?.[0] ?? 0);
      return { visits: await readOpenVisits(connection, completeFrom), completeFrom };
    },

    /** Writes the final rows of visits that are over, and what the memory holds without them. */
    closeVisits: (visits: readonly Visit[], memory: VisitMemory): Promise<void> =>
      inTransaction(() => closeVisits(connection, visits, memory)),

    /**
     * Summarises days whose visits are all over, some at a time. Returns how many; 0 at the end.
     */
    summarise: (): Promise<number> => inTransaction(() => summariseDays(connection)),

    /** Deletes what a site had before the instant (Unix ms). Returns the number of events. */
    deleteBefore: (siteId: number, before: number): Promise<number> =>
      inTransaction(() => deleteBefore(connection, siteId, before)),

    /** Writes all that is committed to the main file: the journal before `position()` can go. */
    async checkpoint(): Promise<void> {
      await connection.run(
        `DELETE FROM ingest_state WHERE (segment, "offset") < (
           SELECT (segment, "offset") FROM ingest_state
           ORDER BY segment DESC, "offset" DESC LIMIT 1)`,
      );
      await connection.run('CHECKPOINT');
    },
  };
}

export type EventWriter = ReturnType<typeof createEventWriter>;
