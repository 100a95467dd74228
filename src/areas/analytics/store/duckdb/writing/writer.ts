import type { DuckDBConnection } from '@duckdb/node-api';
import type {
  AppendResult,
  DropRow,
  EventBatch,
  EventRow,
  EventWriter,
  SiteVisitor,
  StorePosition,
  Visit,
} from '../../events.ts';
import type { Dictionary } from './dictionary.ts';
import { appendEvents, collectWords } from './event-appender.ts';
import { forgetBefore } from './deletion.ts';
import { forgetLateDays, summariseDays } from './summaries.ts';
import { readOpenVisits, recutVisits, reopenVisits, timestamp, writeVisits } from './visits.ts';

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

/** A visit that goes on is its first visitor's. */
function ofKnownVisitors(
  rows: readonly EventRow[],
  reopened: readonly Visit[],
): readonly EventRow[] {
  if (reopened.length === 0) return rows;
  const visitors = new Map(reopened.map(({ session, visitor }) => [session, visitor]));
  return rows.map((row) => ({ ...row, visitor: visitors.get(row.session) ?? row.visitor }));
}

/** The writing side of a DuckDB event store, on a connection that nobody else uses. */
export function createEventWriter({
  connection,
  dictionary,
  gapMs,
}: {
  connection: DuckDBConnection;
  dictionary: Dictionary;
  /** A visitor's events farther apart than this belong to different visits. */
  gapMs: number;
}): EventWriter {
  async function noteOpen(times: readonly number[]): Promise<void> {
    if (times.length === 0) return;
    const from = timestamp(times.reduce((least, time) => Math.min(least, time)));
    // As long as nothing has been closed there is no bound, and open visits may have begun at any time.
    await connection.run('INSERT INTO visit_state SELECT $1 WHERE EXISTS (FROM visit_state)', [
      from,
    ]);
  }

  async function sortIn(late: readonly SiteVisitor[], keepOpenFrom: number): Promise<Visit[]> {
    if (late.length === 0) return [];
    const visits = await recutVisits(connection, late, gapMs);
    await writeVisits(
      connection,
      visits.filter((visit) => visit.last < keepOpenFrom),
    );
    const open = visits.filter((visit) => visit.last >= keepOpenFrom);
    await noteOpen(open.map((visit) => visit.first));
    await connection.run('INSERT INTO visit_memory VALUES ($1)', [timestamp(keepOpenFrom)]);
    return open;
  }

  async function write(batch: EventBatch, keepOpenFrom: number): Promise<AppendResult> {
    await dictionary.resolve(connection);
    const reopened =
      batch.reopened.length === 0 ? [] : await reopenVisits(connection, batch.reopened);
    await appendEvents(connection, dictionary, ofKnownVisitors(batch.rows, reopened));
    await forgetLateDays(connection, batch.rows);
    await appendDrops(connection, batch.drops);
    await noteOpen([
      ...reopened.map((visit) => visit.first),
      ...(batch.openFrom === undefined ? [] : [batch.openFrom]),
    ]);
    const recut = await sortIn(batch.late, keepOpenFrom);
    await connection.run('INSERT INTO ingest_state VALUES ($1, $2)', [
      BigInt(batch.position.segment),
      BigInt(batch.position.offset),
    ]);
    return { reopened, recut };
  }

  return {
    async position(): Promise<StorePosition | undefined> {
      const result = await connection.runAndReadAll(
        'SELECT segment, "offset" FROM ingest_state ORDER BY segment DESC, "offset" DESC LIMIT 1',
      );
      const row = result.getRows()[0];
      return row === undefined ? undefined : { segment: Number(row[0]), offset: Number(row[1]) };
    },

    async forgetPosition(): Promise<void> {
      await connection.run('DELETE FROM ingest_state');
    },

    async append(batch, keepOpenFrom): Promise<AppendResult> {
      collectWords(dictionary, batch.rows);
      try {
        return await transaction(connection, async () => write(batch, keepOpenFrom));
      } catch (error) {
        await dictionary.reset(connection);
        throw error;
      }
    },

    async openVisits() {
      const result = await connection.runAndReadAll(
        'SELECT epoch_ms(max(complete_from)) FROM visit_memory',
      );
      const completeFrom = Number(result.getRows()[0]?.[0] ?? 0);
      return { visits: await readOpenVisits(connection, completeFrom), completeFrom };
    },

    async closeVisits(visits, { openFrom, completeFrom }): Promise<void> {
      await transaction(connection, async () => {
        await writeVisits(connection, visits);
        await connection.run('DELETE FROM visit_state');
        await connection.run('INSERT INTO visit_state VALUES ($1)', [timestamp(openFrom)]);
        await connection.run('DELETE FROM visit_memory');
        await connection.run('INSERT INTO visit_memory VALUES ($1)', [timestamp(completeFrom)]);
      });
    },

    async summarise(): Promise<number> {
      return transaction(connection, async () => summariseDays(connection));
    },

    async deleteBefore(siteId, before): Promise<number> {
      return transaction(connection, async () => forgetBefore(connection, siteId, before));
    },

    async checkpoint(): Promise<void> {
      await connection.run(
        'DELETE FROM ingest_state WHERE (segment, "offset") < (SELECT (segment, "offset") FROM ingest_state ORDER BY segment DESC, "offset" DESC LIMIT 1)',
      );
      await connection.run('CHECKPOINT');
    },
  };
}
