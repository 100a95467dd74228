import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EventReader } from '../../questions.ts';
import { readDashboard } from './dashboard/dashboard.ts';
import { exportEvents } from './export.ts';
import { readFunnel } from './funnels.ts';
import { readGoals } from './goals.ts';
import { readRetention } from './retention.ts';
import { createSession, integer } from '../sql/session.ts';

/** An interrupt ends the statement at work and no later one, so it is repeated until the question is over. */
const interruptEveryMs = 5;

/** Reads from a DuckDB event store. Whoever asks sees to it that not too much is asked at once. */
export function createEventReader({
  connect,
  temporaryDir,
  kept = 4,
}: {
  connect: () => Promise<DuckDBConnection>;
  /** Where a parquet file is built. */
  temporaryDir: string;
  /** Connections that are kept for the next question. */
  kept?: number;
}): EventReader & { close: () => Promise<void> } {
  const idle: DuckDBConnection[] = [];
  const atWork = new Set<DuckDBConnection>();
  let underWay = 0;
  let isClosed = false;

  /** Does `work` so that `close` knows of it, from the opening of its connection to its last statement. */
  async function watched<T>(
    taken: () => Promise<DuckDBConnection>,
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    if (isClosed) throw new Error('the event store is being closed');
    underWay += 1;
    try {
      const connection = await taken();
      atWork.add(connection);
      return await work(connection).finally(() => atWork.delete(connection));
    } finally {
      underWay -= 1;
    }
  }

  async function withConnection<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return watched(
      async () => idle.pop() ?? connect(),
      async (connection) => {
        let isReusable = false;
        try {
          const answer = await work(connection);
          isReusable = !isClosed && idle.length < kept;
          return answer;
        } finally {
          // After a failure or an interrupt nobody knows what is left in it, and a new one costs next to nothing.
          if (isReusable) idle.push(connection);
          else connection.closeSync();
        }
      },
    );
  }

  return {
    dashboard: async (question, signal) =>
      withConnection(async (connection) => readDashboard(connection, question, signal)),

    retention: async (question, signal) =>
      withConnection(async (connection) => readRetention(connection, question, signal)),

    goals: async (question, signal) =>
      withConnection(async (connection) => readGoals(connection, question, signal)),

    funnel: async (question, signal) =>
      withConnection(async (connection) => readFunnel(connection, question, signal)),

    siteStats: async (signal) =>
      withConnection(async (connection) => {
        const rows = await createSession(connection, {}, signal).rows(
          'SELECT site_id, count(*) AS n, epoch_ms(max(ts)) AS last FROM events GROUP BY site_id ORDER BY site_id',
        );
        return rows.map((row) => ({
          siteId: integer(row.site_id),
          events: integer(row.n),
          lastEventAt: integer(row.last),
        }));
      }),

    // An export takes as long as its reader: its connection is its own.
    export: async (question, write, signal) =>
      watched(connect, async (connection) => {
        try {
          return await exportEvents(connection, question, {
            temporaryFile: `${temporaryDir}/export-${randomUUID()}.parquet`,
            write,
            signal,
          });
        } finally {
          connection.closeSync();
        }
      }),

    /**
     * Breaks off what is being asked and refuses the rest. Resolves when no statement is at work any more: a thread that
     * ended before would take the whole process with it, since DuckDB's answer would find no JavaScript to go to.
     */
    async close(): Promise<void> {
      isClosed = true;
      while (underWay > 0) {
        for (const connection of atWork) connection.interrupt();
        await delay(interruptEveryMs);
      }
      for (const connection of idle) connection.closeSync();
    },
  };
}
