import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EventReader } from '../questions.ts';
import { readDashboard } from './dashboard.ts';
import { exportEvents } from './export.ts';
import { readFunnel } from './funnels.ts';
import { readGoals } from './goals.ts';
import { readRetention } from './retention.ts';
import { createSession, integer } from './session.ts';

/** Reads from a DuckDB event store. Whoever asks sees to it that not too much is asked at once. */
export function createDuckdbReader({ connect, temporaryDir, kept = 4 }: {
  connect: () => Promise<DuckDBConnection>;
  /** Where a parquet file is built. */
  temporaryDir: string;
  /** Connections that are kept for the next question. */
  kept?: number;
}): EventReader & { close: () => void } {
  const idle: DuckDBConnection[] = [];

  async function withConnection<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = idle.pop() ?? (await connect());
    let isReusable = false;
    try {
      const answer = await work(connection);
      isReusable = idle.length < kept;
      return answer;
    } finally {
      // After a failure or an interrupt nobody knows what is left in it, and a new one costs next to nothing.
      if (isReusable) idle.push(connection);
      else connection.closeSync();
    }
  }

  return {
    dashboard: async (question, signal) => withConnection(async (connection) => readDashboard(connection, question, signal)),

    retention: async (question, signal) => withConnection(async (connection) => readRetention(connection, question, signal)),

    goals: async (question, signal) => withConnection(async (connection) => readGoals(connection, question, signal)),

    funnel: async (question, signal) => withConnection(async (connection) => readFunnel(connection, question, signal)),

    siteStats: async (signal) => withConnection(async (connection) => {
      const rows = await createSession(connection, {}, signal).rows('SELECT site_id, count(*) AS n, epoch_ms(max(ts)) AS last FROM events GROUP BY site_id ORDER BY site_id');
      return rows.map((row) => ({ siteId: integer(row.site_id), events: integer(row.n), lastEventAt: integer(row.last) }));
    }),

    export: async (question, write, signal) => {
      // An export takes as long as its reader: its connection is its own.
      const connection = await connect();
      try {
        return await exportEvents(connection, question, { temporaryFile: `${temporaryDir}/export-${randomUUID()}.parquet`, write, signal });
      } finally {
        connection.closeSync();
      }
    },

    close(): void {
      for (const connection of idle) connection.closeSync();
    },
  };
}
