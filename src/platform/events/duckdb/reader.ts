import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EventReader } from '../questions.ts';
import { readDashboard } from './dashboard.ts';
import { exportEvents } from './export.ts';
import { readFunnel } from './funnels.ts';
import { readGoals } from './goals.ts';
import { readRetention } from './retention.ts';
import { createSession, integer } from './session.ts';

/** Reads from a DuckDB event store, at most `readers` questions at a time. */
export function createDuckdbReader({ connect, temporaryDir, readers = 2 }: {
  connect: () => Promise<DuckDBConnection>;
  /** Where a parquet file is built. */
  temporaryDir: string;
  readers?: number;
}): EventReader & { close: () => void } {
  const idle: DuckDBConnection[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;

  async function withConnection<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    while (busy >= readers) await new Promise<void>((resolve) => waiting.push(resolve));
    busy += 1;
    const connection = idle.pop() ?? (await connect());
    try {
      return await work(connection);
    } finally {
      idle.push(connection);
      busy -= 1;
      waiting.shift()?.();
    }
  }

  return {
    dashboard: async (question) => withConnection(async (connection) => readDashboard(connection, question)),

    retention: async (question) => withConnection(async (connection) => readRetention(connection, question)),

    goals: async (question) => withConnection(async (connection) => readGoals(connection, question)),

    funnel: async (question) => withConnection(async (connection) => readFunnel(connection, question)),

    siteStats: async () => withConnection(async (connection) => {
      const rows = await createSession(connection, {}).rows('SELECT site_id, count(*) AS n, epoch_ms(max(ts)) AS last FROM events GROUP BY site_id ORDER BY site_id');
      return rows.map((row) => ({ siteId: integer(row.site_id), events: integer(row.n), lastEventAt: integer(row.last) }));
    }),

    export: async (question, write) => {
      // An export takes as long as its reader: it must not hold one of the dashboards' connections.
      const connection = await connect();
      try {
        return await exportEvents(connection, question, `${temporaryDir}/export-${randomUUID()}.parquet`, write);
      } finally {
        connection.closeSync();
      }
    },

    close(): void {
      for (const connection of idle) connection.closeSync();
    },
  };
}
