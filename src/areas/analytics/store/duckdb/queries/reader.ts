import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ExportStoreQuery, SiteStats, StoreQueries } from '../../queries.ts';
import { createSession } from '../sql/session.ts';
import { integer } from '../sql/values.ts';
import { readDashboard } from './dashboard/dashboard.ts';
import { exportEvents } from './export.ts';
import { readFunnel } from './funnels.ts';
import { readGoals } from './goals.ts';
import { readRecent } from './recent.ts';
import { readRetention } from './retention.ts';
import { readTagCounts, readTagDays } from './tag-counts.ts';
import { readTagEvents } from './tag-events.ts';
import { readTagProps } from './tag-props.ts';

/** An interrupt ends only the current statement, so it is repeated until the query has ended. */
const interruptEveryMs = 5;

/** Returns the number of events and the time of the last one, for each site. */
async function readSiteStats(
  connection: DuckDBConnection,
  _: null,
  signal?: AbortSignal,
): Promise<SiteStats[]> {
  const rows = await createSession(connection, {}, signal).rows(
    `SELECT site_id, count(*) AS n, epoch_ms(max(ts)) AS last
     FROM events GROUP BY site_id ORDER BY site_id`,
  );
  return rows.map((row) => ({
    siteId: integer(row.site_id),
    events: integer(row.n),
    lastEventAt: integer(row.last),
  }));
}

const reads: {
  [K in keyof StoreQueries]: (
    connection: DuckDBConnection,
    params: StoreQueries[K]['params'],
    signal?: AbortSignal,
  ) => Promise<StoreQueries[K]['answer']>;
} = {
  dashboard: readDashboard,
  retention: readRetention,
  goals: readGoals,
  funnel: readFunnel,
  siteStats: readSiteStats,
  tagCounts: readTagCounts,
  tagDays: readTagDays,
  tagProps: readTagProps,
  tagEvents: readTagEvents,
  recent: readRecent,
};

/**
 * Reads from the event store. Aborting the signal interrupts a query, which rejects with the
 * signal's reason. Queries with filters throw an error that says "not a regular expression" for an
 * invalid pattern. The caller limits the number of concurrent queries. `temporaryDir` is for the
 * Parquet files of running exports; at most `maxIdle` idle connections stay open.
 */
export function createReader({
  connect,
  temporaryDir,
  maxIdle = 4,
}: {
  connect: () => Promise<DuckDBConnection>;
  temporaryDir: string;
  maxIdle?: number;
}) {
  const idle: DuckDBConnection[] = [];
  const active = new Set<DuckDBConnection>();
  let running = 0;
  let isClosed = false;

  return {
    /** Reads on an idle or a new connection. */
    read: <K extends keyof StoreQueries>(
      name: K,
      params: StoreQueries[K]['params'],
      signal?: AbortSignal,
    ): Promise<StoreQueries[K]['answer']> =>
      tracked(
        async () => idle.pop() ?? connect(),
        (connection) => reusing(connection, () => reads[name](connection, params, signal)),
      ),

    /**
     * Passes the rows to `write` in parts, awaiting each. Resolves to the number of rows. Uses its
     * own connection, since it takes as long as the receiver.
     */
    export: (
      query: ExportStoreQuery,
      write: (part: Uint8Array) => Promise<void>,
      signal?: AbortSignal,
    ): Promise<number> =>
      tracked(connect, (connection) =>
        exportEvents(connection, query, {
          temporaryFile: `${temporaryDir}/export-${randomUUID()}.parquet`,
          write,
          signal,
        }).finally(() => connection.closeSync()),
      ),

    /**
     * Interrupts all queries and rejects new ones. Resolves when no statement is running: if the
     * thread ended earlier, DuckDB's callback into the dead thread would abort the whole process.
     */
    async close(): Promise<void> {
      isClosed = true;
      while (running > 0) {
        for (const connection of active) connection.interrupt();
        await delay(interruptEveryMs);
      }
      for (const connection of idle) connection.closeSync();
    },
  };

  /** Counts the work as running from before the connection opens until its last statement ends. */
  async function tracked<T>(
    open: () => Promise<DuckDBConnection>,
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    if (isClosed) throw new Error('the event store is being closed');
    running += 1;
    try {
      const connection = await open();
      active.add(connection);
      return await work(connection).finally(() => active.delete(connection));
    } finally {
      running -= 1;
    }
  }

  async function reusing<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
    let isReusable = false;
    try {
      const answer = await work();
      isReusable = !isClosed && idle.length < maxIdle;
      return answer;
    } finally {
      // A failure or an interrupt may leave a connection in any state, and a new one is cheap.
      if (isReusable) idle.push(connection);
      else connection.closeSync();
    }
  }
}

export type EventReader = ReturnType<typeof createReader>;
