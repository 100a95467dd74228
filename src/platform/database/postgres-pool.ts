import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient, QueryResult, types } from 'pg';
import type { Logger } from 'pino';
import { databaseUnavailable, errorCode, isConnectionFailure, isSqlState, isTooSlow, unstorableText } from './failure.ts';
import { createReach, type Reach } from './reach.ts';
import { createStatementNames, isNameFailure } from './statement-names.ts';
import { valueParsers } from './value-parsers.ts';

type TypeId = Parameters<typeof types.getTypeParser>[0];

export interface PostgresPoolOptions {
  url: string;
  logger: Logger;
  /** Most connections at a time. */
  max: number;
  /** Milliseconds after which a statement without an answer is given up. */
  queryTimeoutMs?: number;
}

/** A server that gave no answer to anything for this long is taken to be away. Milliseconds. */
const silenceMs = 3000;

type StatementNames = ReturnType<typeof createStatementNames>;

async function send(client: PoolClient, names: StatementNames, text: string, values: unknown[]): Promise<QueryResult> {
  const name = names.of(text);
  if (name === undefined) return client.query({ text, values });
  try {
    return await client.query({ name, text, values });
  } catch (error) {
    if (!isNameFailure(error)) throw error;
    names.forget(text);
    return client.query({ text, values });
  }
}

interface Guarding {
  names: StatementNames;
  reach: Reach;
  /** When the server last answered anything. */
  heard: { at: number };
  /** How long its silence has to be until it counts as away; undefined: silence says nothing. */
  silenceMs: number | undefined;
}

/** Passes the answer on. A server that says nothing to anybody for a while is given up before its statements are. */
async function listened<T>(answer: Promise<T>, { reach, heard, silenceMs }: Guarding): Promise<T> {
  if (silenceMs === undefined) return answer;
  const timer = setTimeout(() => {
    if (performance.now() - heard.at >= silenceMs) reach.lost();
  }, silenceMs);
  return answer.finally(() => clearTimeout(timer));
}

function guardedClient(client: PoolClient, guarding: Guarding): PostgresPoolClient {
  const { names, reach, heard } = guarding;
  let broken = false;

  function answered(): void {
    heard.at = performance.now();
    reach.found();
  }

  function failure(error: unknown): unknown {
    if (!isConnectionFailure(error)) {
      answered();
      if (isTooSlow(error)) return databaseUnavailable(error);
      return unstorableText(error) ?? error;
    }
    broken = true;
    // With a SQLSTATE the server is there, and says what it lacks.
    if (isSqlState(error)) answered();
    else reach.lost();
    return databaseUnavailable(error);
  }

  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(statement: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') throw new Error('cursors are not supported');
    return listened(send(client, names, statement, [...parameters]), guarding).then((result) => {
      answered();
      return result;
    }, (error: unknown) => {
      throw failure(error);
    });
  }

  return {
    query,
    // A statement that timed out may still occupy its connection: it must not be handed to the next user.
    release: () => client.release(broken),
  };
}

/** All connections of this pool, or all that the server allows, are in use: that says nothing of whether the server is there. */
function isBusy(error: unknown): boolean {
  return errorCode(error) === '53300' || (error instanceof Error && error.message === 'timeout exceeded when trying to connect');
}

function guardedPool(pool: Pool, silenceMs: number | undefined): PostgresPool {
  const reach = createReach();
  const guarding = { names: createStatementNames(), reach, heard: { at: performance.now() }, silenceMs };
  return {
    connect: async () => {
      if (!reach.mayTry()) throw databaseUnavailable(new Error('PostgreSQL could not be reached a moment ago'));
      const client = await pool.connect().catch((error: unknown) => {
        if (isBusy(error)) reach.undecided();
        else reach.lost();
        throw databaseUnavailable(error);
      });
      return guardedClient(client, guarding);
    },
    end: () => pool.end(),
  };
}

/**
 * Connections to a PostgreSQL server, for Kysely. Opened when needed; lost ones are replaced by themselves.
 * A server that can't be reached gives AppError `request.unavailable` within two seconds, and at once while that is known.
 */
export async function createPostgresPool({ url, logger, max, queryTimeoutMs }: PostgresPoolOptions): Promise<PostgresPool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 2000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'platform-service',
    ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
    types: { getTypeParser: (id: TypeId) => valueParsers[id] ?? (pg.types.getTypeParser(id) as (text: string) => unknown) },
  });
  // Without these listeners the loss of a connection, idle or in use, would end the process.
  pool.on('error', (error) => logger.debug({ err: error }, 'an idle database connection was lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a database connection was lost'));
    if (queryTimeoutMs === undefined) return;
    // Before the driver gives up: otherwise the server would go on with what nobody waits for. No startup parameters, which poolers refuse.
    const [statement, lock] = [Math.ceil(queryTimeoutMs * 0.9), Math.ceil(queryTimeoutMs / 2)];
    client.query(`SET statement_timeout = ${statement}; SET lock_timeout = ${lock}`).catch((error: unknown) => logger.warn({ err: error }, 'the time limits of a database connection could not be set'));
  });
  return guardedPool(pool, queryTimeoutMs === undefined ? undefined : silenceMs);
}
