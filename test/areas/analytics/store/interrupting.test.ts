import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportEvents } from '../../../../src/areas/analytics/store/duckdb/questions/export.ts';
import { createReader } from '../../../../src/areas/analytics/store/duckdb/questions/reader.ts';
import { createSchema } from '../../../../src/areas/analytics/store/duckdb/schema/schema.ts';
import { createSession } from '../../../../src/areas/analytics/store/duckdb/sql/session.ts';
import { readSnapshot } from '../../../../src/areas/analytics/store/duckdb/questions/snapshot.ts';
import type { ExportQuestion } from '../../../../src/areas/analytics/store/questions.ts';

// Would take hours.
const endless = 'SELECT count(*) AS n FROM range(1000000000000) t(a) WHERE a % 7 = 3';
const selection = { siteId: 1, range: { from: 0, to: 86_400_000 }, filters: [], bots: false };
const took = new Error('nobody waits any more');

let folder: string;
let instance: DuckDBInstance;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interrupting-'));
  instance = await DuckDBInstance.create(join(folder, 'events.duckdb'), { threads: '1' });
  const connection = await instance.connect();
  await createSchema(connection);
  connection.closeSync();
});
afterAll(async () => {
  instance.closeSync();
  await rm(folder, { recursive: true, force: true });
});

/**
 * A signal that is aborted in one of the next turns of the event loop: while the statement runs, or
 * just before it does.
 */
function abortedSoon(): AbortSignal {
  const controller = new AbortController();
  setImmediate(() => controller.abort(took));
  return controller.signal;
}

async function withConnection<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
  }
}

describe('a question to the event store', () => {
  it('ends with the reason of its signal; its connection answers the next one', async () => {
    await withConnection(async (connection) => {
      for (let round = 0; round < 20; round += 1) {
        await expect(createSession(connection, {}, abortedSoon()).rows(endless)).rejects.toBe(took);
      }
      expect(await createSession(connection, {}).rows('SELECT 42 AS n')).toEqual([{ n: 42 }]);
    });
  });

  it('that nobody waits for any more is not even begun', async () => {
    await withConnection(async (connection) => {
      const session = createSession(connection, {}, AbortSignal.abort(took));
      await expect(session.run('CREATE TEMP TABLE made AS SELECT 1')).rejects.toBe(took);
      await expect(createSession(connection, {}).rows('FROM made')).rejects.toThrow(
        'does not exist',
      );
    });
  });

  it('leaves no temporary table and no transaction behind when it is aborted', async () => {
    await withConnection(async (connection) => {
      const controller = new AbortController();
      const work = readSnapshot(
        connection,
        selection,
        async (session) => {
          await session.run('CREATE OR REPLACE TEMP TABLE made AS SELECT 1 AS n');
          setImmediate(() => controller.abort(took));
          return session.rows(endless);
        },
        { signal: controller.signal },
      );
      await expect(work).rejects.toBe(took);
      const session = createSession(connection, {});
      await expect(session.rows('FROM made')).rejects.toThrow('does not exist');
      await session.run('BEGIN');
      await session.run('ROLLBACK');
    });
  });

  it('of the reader gives its connection up when aborted; the next one has another', async () => {
    let connections = 0;
    const reader = createReader({
      connect: () => {
        connections += 1;
        return instance.connect();
      },
      temporaryDir: folder,
    });
    await expect(reader.siteStats(AbortSignal.abort(took))).rejects.toBe(took);
    expect(await reader.siteStats()).toEqual([]);
    expect(await reader.siteStats()).toEqual([]);
    expect(connections).toBe(2);
    await reader.close();
  });

  it.each(['ndjson', 'parquet'] as const)(
    'for an export in %s ends as well, with its temporary file',
    async (format) => {
      await withConnection(async (connection) => {
        // A view of this connection alone, in the place of the table: it never comes to an end.
        await connection.run(
          'CREATE TEMP VIEW events AS ' +
            'SELECT e.* FROM main.events e, range(1000000000000) t(a) WHERE a < 0 UNION ALL ' +
            'SELECT NULL::UINTEGER, * EXCLUDE (site_id) FROM main.events ' +
            'SEMI JOIN (FROM range(1000000000000) t(a) WHERE a % 7 = 9) ON true',
        );
        const question: ExportQuestion = {
          siteId: undefined,
          sites: [],
          from: undefined,
          to: undefined,
          filters: [],
          columns: ['id'],
          format,
        };
        const way = {
          temporaryFile: join(folder, 'part.parquet'),
          write: async () => undefined,
          signal: abortedSoon(),
        };
        await expect(exportEvents(connection, question, way)).rejects.toBe(took);
        expect((await readdir(folder)).filter((name) => name.startsWith('part'))).toEqual([]);
      });
    },
  );
});
