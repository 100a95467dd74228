import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportEvents } from '../../../../src/areas/analytics/store/duckdb/queries/export.ts';
import { createReader } from '../../../../src/areas/analytics/store/duckdb/queries/reader.ts';
import { createSchema } from '../../../../src/areas/analytics/store/duckdb/schema/schema.ts';
import {
  createSession,
  type Session,
} from '../../../../src/areas/analytics/store/duckdb/sql/session.ts';
import { readSnapshot } from '../../../../src/areas/analytics/store/duckdb/queries/snapshot.ts';
import type { ExportStoreQuery } from '../../../../src/areas/analytics/store/queries.ts';

// Would take hours.
const endless = 'SELECT count(*) AS n FROM range(1000000000000) t(a) WHERE a % 7 = 3';
const selection = { siteId: 1, range: { from: 0, to: 86_400_000 }, filters: [], bots: false };
const abortReason = new Error('nobody waits anymore');

let connection: DuckDBConnection;
const folder = await mkdtemp(join(tmpdir(), 'interrupting-'));
const instance = await DuckDBInstance.create(join(folder, 'events.duckdb'), { threads: '1' });
const setup = await instance.connect();
await createSchema(setup);
setup.closeSync();
beforeEach(async () => {
  connection = await instance.connect();
});
afterEach(() => connection.closeSync());
afterAll(async () => {
  instance.closeSync();
  await rm(folder, { recursive: true, force: true });
});

/** Returns a signal that aborts within a few ticks: while the statement runs, or just before. */
function abortedSoon(): AbortSignal {
  const controller = new AbortController();
  setImmediate(() => controller.abort(abortReason));
  return controller.signal;
}

describe('a query to the event store', () => {
  it('fails with the reason of its signal; its connection answers the next one', async () => {
    for (let round = 0; round < 20; round += 1) {
      const session = createSession(connection, {}, abortedSoon());
      await expect(session.rows(endless)).rejects.toBe(abortReason);
    }
    expect(await createSession(connection, {}).rows('SELECT 42 AS n')).toEqual([{ n: 42 }]);
  });

  it('that is already aborted never starts', async () => {
    const aborted = createSession(connection, {}, AbortSignal.abort(abortReason));
    await expect(aborted.run('CREATE TEMP TABLE made AS SELECT 1')).rejects.toBe(abortReason);
    const session = createSession(connection, {});
    await expect(session.rows('FROM made')).rejects.toThrow('does not exist');
  });

  it('leaves no temporary table and no transaction behind when it is aborted', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const work = async (session: Session) => {
      await session.run('CREATE OR REPLACE TEMP TABLE made AS SELECT 1 AS n');
      setImmediate(() => controller.abort(abortReason));
      return session.rows(endless);
    };
    await expect(readSnapshot(connection, selection, work, { signal })).rejects.toBe(abortReason);
    const session = createSession(connection, {});
    await expect(session.rows('FROM made')).rejects.toThrow('does not exist');
    await session.run('BEGIN');
    await session.run('ROLLBACK');
  });

  it('of the reader discards its connection when aborted; the next one opens another', async () => {
    let connections = 0;
    const reader = createReader({
      connect: () => {
        connections += 1;
        return instance.connect();
      },
      temporaryDir: folder,
    });
    await expect(reader.read('siteStats', null, AbortSignal.abort(abortReason))).rejects.toBe(
      abortReason,
    );
    expect(await reader.read('siteStats', null)).toEqual([]);
    expect(await reader.read('siteStats', null)).toEqual([]);
    expect(connections).toBe(2);
    await reader.close();
  });

  it.each(['ndjson', 'parquet'] as const)(
    'for an export in %s is aborted too, and its temporary file is deleted',
    async (format) => {
      // A temporary view of this connection shadows the table and never finishes.
      await connection.run(
        'CREATE TEMP VIEW events AS ' +
          'SELECT e.* FROM main.events e, range(1000000000000) t(a) WHERE a < 0 UNION ALL ' +
          'SELECT NULL::UINTEGER, * EXCLUDE (site_id) FROM main.events ' +
          'SEMI JOIN (FROM range(1000000000000) t(a) WHERE a % 7 = 9) ON true',
      );
      const query: ExportStoreQuery = {
        siteId: undefined,
        sites: [],
        from: undefined,
        to: undefined,
        filters: [],
        columns: ['id'],
        format,
      };
      const output = {
        temporaryFile: join(folder, 'part.parquet'),
        write: async () => undefined,
        signal: abortedSoon(),
      };
      await expect(exportEvents(connection, query, output)).rejects.toBe(abortReason);
      expect((await readdir(folder)).filter((name) => name.startsWith('part'))).toEqual([]);
    },
  );
});
