import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient, QueryResult, types } from 'pg';
import type { Logger } from 'pino';
import { databaseUnavailable, isConnectionFailure, isTooSlow, unstorableText } from './failure.ts';
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

function guardedClient(client: PoolClient, names: StatementNames): PostgresPoolClient {
  let broken = false;

  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(statement: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') throw new Error('cursors are not supported');
    return send(client, names, statement, [...parameters]).catch((error: unknown) => {
      if (isTooSlow(error)) throw databaseUnavailable(error);
      if (!isConnectionFailure(error)) throw unstorableText(error) ?? error;
      broken = true;
      throw databaseUnavailable(error);
    });
  }

  return {
    query,
    // A statement that timed out may still occupy its connection: it must not be handed to the next user.
    release: () => client.release(broken),
  };
}

function guardedPool(pool: Pool): PostgresPool {
  const names = createStatementNames();
  return {
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw databaseUnavailable(error);
      });
      return guardedClient(client, names);
    },
    end: () => pool.end(),
  };
}

/**
 * Connections to a PostgreSQL server, for Kysely. Opened when needed; lost ones are replaced by themselves.
 * A server that can't be reached gives AppError `request.unavailable` within two seconds.
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
  return guardedPool(pool);
}
