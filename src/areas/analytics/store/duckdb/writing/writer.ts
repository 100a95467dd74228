import type { DuckDBConnection } from '@duckdb/node-api';
import type { Position } from '../../../../../platform/journal/position.ts';
import type { DropRow, EventRow, SiteVisitor, Visit, VisitMemory } from '../../events.ts';
import { deleteBefore } from './deletion.ts';
import type { Dictionary } from './dictionary.ts';
import { appendEvents, collectTexts } from './event-appender.ts';
import { invalidateLateDays, summariseDays } from './summaries.ts';
import { readOpenVisits, recutVisits, reopenVisits, timestamp, writeVisits } from './visits.ts';

/** The contents of one transaction. */
export interface EventBatch {
  rows: readonly EventRow[];
  drops: readonly DropRow[];
  /** Everything in the journal before this is in this batch or in earlier ones. */
  position: Position;
  /** Visitors with an event too late to assign from memory: all their visits are recomputed. */
  late: readonly SiteVisitor[];
  /** Client-named visits that continue, possibly after they were closed. */
  reopened: readonly bigint[];
  /** Earliest event of this batch in an open visit that the memory may not cover. */
  openFrom: number | undefined;
}

/** Visits that a batch reopened, or recomputed and left open, for the in-memory open visits. */
export interface AppendResult {
  reopened: Visit[];
  recut: Visit[];
}

async function transaction<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  await connection.run('BEGIN');
  try {
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    // A failed COMMIT has already ended the transaction, so ROLLBACK fails.
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

/** Assigns the events of a reopened visit to the first visitor of that visit. */
function withFirstVisitor(
  rows: readonly EventRow[],
  reopened: readonly Visit[],
): readonly EventRow[] {
  if (reopened.length === 0) return rows;
  const visitors = new Map(reopened.map(({ session, visitor }) => [session, visitor]));
  return rows.map((row) => ({ ...row, visitor: visitors.get(row.session) ?? row.visitor }));
}

/** Records that visits which began at these times (Unix ms) are open. */
async function recordOpen(connection: DuckDBConnection, times: readonly number[]): Promise<void> {
  if (times.length === 0) return;
  const from = timestamp(times.reduce((earliest, time) => Math.min(earliest, time)));
  // `visit_state` is empty until a visit is closed: no bound applies to open visits before that.
  await connection.run('INSERT INTO visit_state SELECT $1 WHERE EXISTS (FROM visit_state)', [from]);
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

/**
 * Writes to the event store, on a connection of its own. Events of a visitor farther apart than
 * `gapMs` belong to different visits.
 */
export function createEventWriter({
  connection,
  dictionary,
  gapMs,
}: {
  connection: DuckDBConnection;
  dictionary: Dictionary;
  gapMs: number;
}) {
  const inTransaction = <T>(work: () => Promise<T>) => transaction(connection, work);
  return {
    /** Returns the journal position of the last committed batch; undefined for an empty store. */
    position: () => readPosition(connection),

    /** Deletes the position, for a journal that starts over. */
    async forgetPosition(): Promise<void> {
      await connection.run('DELETE FROM ingest_state');
    },

    /**
     * Commits a batch atomically: rows, drop counts and position. Visits that end at `keepOpenFrom`
     * (Unix ms) or later stay open.
     */
    async append(batch: EventBatch, keepOpenFrom: number): Promise<AppendResult> {
      collectTexts(dictionary, batch.rows);
      try {
        return await inTransaction(() => write(batch, keepOpenFrom));
      } catch (error) {
        await dictionary.reset(connection);
        throw error;
      }
    },

    /** Returns the open visits, and since when (Unix ms) they are complete. */
    async openVisits(): Promise<{ visits: Visit[]; completeFrom: number }> {
      const result = await connection.runAndReadAll(
        'SELECT epoch_ms(max(complete_from)) FROM visit_memory',
      );
      const completeFrom = Number(result.getRows()[0]?.[0] ?? 0);
      return { visits: await readOpenVisits(connection, completeFrom), completeFrom };
    },

    /** Writes the rows of ended visits, and the time span that the memory covers without them. */
    closeVisits: (visits: readonly Visit[], memory: VisitMemory): Promise<void> =>
      inTransaction(() => closeVisits(connection, visits, memory)),

    /** Summarises some days whose visits have all ended. Returns their number; 0 if none left. */
    summarise: (): Promise<number> => inTransaction(() => summariseDays(connection)),

    /** Deletes the data of a site before the instant (Unix ms). Returns the number of events. */
    deleteBefore: (siteId: number, before: number): Promise<number> =>
      inTransaction(() => deleteBefore(connection, siteId, before)),

    /** Writes all commits to the main file. The journal before `position()` may then be deleted. */
    async checkpoint(): Promise<void> {
      await connection.run(
        `DELETE FROM ingest_state WHERE (segment, "offset") < (
           SELECT (segment, "offset") FROM ingest_state
           ORDER BY segment DESC, "offset" DESC LIMIT 1)`,
      );
      await connection.run('CHECKPOINT');
    },
  };

  /** Writes a batch within the caller's transaction. */
  async function write(batch: EventBatch, keepOpenFrom: number): Promise<AppendResult> {
    await dictionary.resolve(connection);
    const reopened =
      batch.reopened.length === 0 ? [] : await reopenVisits(connection, batch.reopened);
    await appendEvents(connection, dictionary, withFirstVisitor(batch.rows, reopened));
    await invalidateLateDays(connection, batch.rows);
    await appendDrops(connection, batch.drops);
    await recordOpen(connection, [
      ...reopened.map((visit) => visit.first),
      ...(batch.openFrom === undefined ? [] : [batch.openFrom]),
    ]);
    const recut = await recutLate(batch.late, keepOpenFrom);
    await connection.run('INSERT INTO ingest_state VALUES ($1, $2)', [
      BigInt(batch.position.segment),
      BigInt(batch.position.offset),
    ]);
    return { reopened, recut };
  }

  /** Recomputes the visits of late visitors. Returns those that are open. */
  async function recutLate(late: readonly SiteVisitor[], keepOpenFrom: number): Promise<Visit[]> {
    if (late.length === 0) return [];
    const visits = await recutVisits(connection, late, gapMs);
    await writeVisits(
      connection,
      visits.filter((visit) => visit.last < keepOpenFrom),
    );
    const open = visits.filter((visit) => visit.last >= keepOpenFrom);
    await recordOpen(
      connection,
      open.map((visit) => visit.first),
    );
    await connection.run('INSERT INTO visit_memory VALUES ($1)', [timestamp(keepOpenFrom)]);
    return open;
  }
}

export type EventWriter = ReturnType<typeof createEventWriter>;
