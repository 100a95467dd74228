import type { DuckDBConnection } from '@duckdb/node-api';
import type { AppendResult, DropRow, EventBatch, EventWriter, StorePosition, Visit } from '../types.ts';
import type { Dictionary } from './dictionary.ts';
import { appendEvents, collectWords } from './event-appender.ts';
import { recutVisits, reopenVisits, timestamp, toVisits, writeVisits } from './visits.ts';

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
    await connection.run('INSERT INTO dropped VALUES ($1, $2, $3, $4)', [siteId, timestamp(hour), reason, BigInt(count)]);
  }
}

/** The writing side of a DuckDB event store, on a connection that nobody else uses. */
export function createDuckdbWriter({ connection, dictionary, gapMs }: {
  connection: DuckDBConnection;
  dictionary: Dictionary;
  /** A visitor's events farther apart than this belong to different visits. */
  gapMs: number;
}): EventWriter {
  async function sortIn(late: readonly bigint[], keepOpenFrom: number): Promise<Visit[]> {
    if (late.length === 0) return [];
    const visits = await recutVisits(connection, late, gapMs);
    await writeVisits(connection, visits.filter((visit) => visit.last < keepOpenFrom));
    const open = visits.filter((visit) => visit.last >= keepOpenFrom);
    if (open.length > 0) await connection.run('INSERT INTO visit_state VALUES ($1)', [timestamp(Math.min(...open.map((visit) => visit.first)))]);
    return open;
  }

  async function write(batch: EventBatch, keepOpenFrom: number): Promise<AppendResult> {
    await dictionary.resolve(connection);
    await appendEvents(connection, dictionary, batch.rows);
    await appendDrops(connection, batch.drops);
    const reopened = batch.reopened.length === 0 ? [] : await reopenVisits(connection, batch.reopened);
    if (batch.openFrom !== undefined) await connection.run('INSERT INTO visit_state VALUES ($1)', [timestamp(batch.openFrom)]);
    const recut = await sortIn(batch.late, keepOpenFrom);
    await connection.run('INSERT INTO ingest_state VALUES ($1, $2)', [BigInt(batch.position.segment), BigInt(batch.position.offset)]);
    return { reopened, recut };
  }

  return {
    async position(): Promise<StorePosition | undefined> {
      const result = await connection.runAndReadAll('SELECT segment, "offset" FROM ingest_state ORDER BY segment DESC, "offset" DESC LIMIT 1');
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

    async openVisits(): Promise<Visit[]> {
      return toVisits(await connection.runAndReadAll(
        `SELECT any_value(e.visitor_id), e.session_id, epoch_ms(min(e.ts)), epoch_ms(max(e.ts)), bool_or(e.named) FROM events e
         WHERE e.session_id <> 0 AND e.ts >= (SELECT coalesce(min(open_from), '1970-01-01'::TIMESTAMP_MS) FROM visit_state)
         AND e.session_id NOT IN (SELECT session_id FROM visits) GROUP BY e.session_id`,
      ));
    },

    async closeVisits(visits, openFrom): Promise<void> {
      await transaction(connection, async () => {
        await writeVisits(connection, visits);
        await connection.run('DELETE FROM visit_state');
        await connection.run('INSERT INTO visit_state VALUES ($1)', [timestamp(openFrom)]);
      });
    },

    async checkpoint(): Promise<void> {
      await connection.run('DELETE FROM ingest_state WHERE (segment, "offset") < (SELECT (segment, "offset") FROM ingest_state ORDER BY segment DESC, "offset" DESC LIMIT 1)');
      await connection.run('CHECKPOINT');
    },
  };
}
