import { setMaxListeners } from 'node:events';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Client, Pool, PoolClient, QueryResult, types } from 'pg';
import type { Logger } from 'pino';
import { cancelUntil } from './cancel-request.ts';
import {
  databaseUnavailable,
  errorCode,
  isConnectionFailure,
  isSqlState,
  isTooSlow,
  unstorableText,
} from './failure.ts';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';
import { createSilenceDetector, type SilenceDetector } from './silence.ts';
import { createStatementNames, isNameFailure } from './statement-names.ts';
import { valueParsers } from './value-parsers.ts';
import { withTimeout } from '../../lib/concurrency/with-timeout.ts';

type TypeId = Parameters<typeof types.getTypeParser>[0];

export interface PostgresPoolOptions {
  url: string;
  logger: Logger;
  /** Most connections at a time. */
  max: number;
  /** Milliseconds after which a statement without an answer is given up. */
  queryTimeoutMs?: number;
  /** Milliseconds of silence after which a server is asked whether it is there. */
  silenceMs?: number;
}

/** A pool over a server, whose connections can also be had for somebody who may leave. */
export interface ServerPool extends PostgresPool {
  /** The same connections; aborting the signal stops waiting and cancels the statement. */
  watching: (signal: AbortSignal) => PostgresPool;
}

/** How long a new connection may take, for a statement or to ask a silent server. */
const connectMs = 2000;

type StatementNames = ReturnType<typeof createStatementNames>;

async function send(
  client: PoolClient,
  names: StatementNames,
  text: string,
  values: unknown[],
): Promise<QueryResult> {
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

interface GuardOptions {
  names: StatementNames;
  breaker: CircuitBreaker;
  silence: SilenceDetector;
  /** Who asks is gone when it is aborted. */
  signal?: AbortSignal;
}

/** Passes an answer on; on abort calls `cancelling`, then has the server cancel it. */
async function cancelOnAbort<T>(
  answer: Promise<T>,
  client: PoolClient,
  signal: AbortSignal,
  cancelling: () => void,
): Promise<T> {
  const over = new AbortController();
  const leave = () => {
    cancelling();
    void cancelUntil(client, over.signal);
  };
  signal.addEventListener('abort', leave, { once: true });
  return answer.finally(() => {
    over.abort();
    signal.removeEventListener('abort', leave);
  });
}

function guardedClient(
  client: PoolClient,
  { names, breaker, silence, signal }: GuardOptions,
): PostgresPoolClient {
  let brokenBy: unknown;

  function answered(): void {
    silence.heard();
    breaker.succeeded();
  }

  function failure(error: unknown): unknown {
    if (!isConnectionFailure(error)) {
      answered();
      if (isTooSlow(error)) return databaseUnavailable(error);
      return unstorableText(error) ?? error;
    }
    brokenBy = error;
    // With a SQLSTATE the server is there, and says what it lacks.
    if (isSqlState(error)) answered();
    else breaker.failed();
    return databaseUnavailable(error);
  }

  async function ask(text: string, values: unknown[]): Promise<QueryResult> {
    signal?.throwIfAborted();
    // A ROLLBACK, say, would wait behind the statement that was given up.
    if (brokenBy !== undefined) throw databaseUnavailable(brokenBy);
    const answer = silence.watched(send(client, names, text, values));
    try {
      // A late cancel must not meet the next statement: the connection is closed, once the server
      // is done, so that there are never more statements under way than places.
      const result = await (signal === undefined
        ? answer
        : cancelOnAbort(answer, client, signal, () => {
            brokenBy = signal.reason;
          }));
      answered();
      return result;
    } catch (error) {
      const reason = failure(error);
      signal?.throwIfAborted();
      throw reason;
    }
  }

  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(statement: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') throw new Error('cursors are not supported');
    return ask(statement, [...parameters]);
  }

  return {
    query,
    // A statement that timed out may still occupy its connection.
    release: () => client.release(brokenBy !== undefined),
  };
}

/**
 * All connections of this pool, or all that the server allows, are in use: that says nothing of
 * whether the server is there.
 */
function isBusy(error: unknown): boolean {
  return (
    errorCode(error) === '53300' ||
    (error instanceof Error && error.message === 'timeout exceeded when trying to connect')
  );
}

/** A connection, when it is there; who leaves before gives it back at once. */
async function acquireClient(pool: Pool, signal: AbortSignal | undefined): Promise<PoolClient> {
  const coming = pool.connect();
  if (signal === undefined) return coming;
  return new Promise((resolve, reject) => {
    const leave = () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('nobody waits any more'));
    signal.addEventListener('abort', leave, { once: true });
    coming
      .then((client) => {
        if (signal.aborted) client.release();
        else resolve(client);
      }, reject)
      .finally(() => signal.removeEventListener('abort', leave));
  });
}

function guardedPool(pool: Pool, silence: SilenceDetector): ServerPool {
  const breaker = createCircuitBreaker();
  const guarding = { names: createStatementNames(), breaker, silence };

  async function connect(signal?: AbortSignal): Promise<PostgresPoolClient> {
    signal?.throwIfAborted();
    if (!breaker.mayTry())
      throw databaseUnavailable(new Error('PostgreSQL could not be reached a moment ago'));
    const client = await acquireClient(pool, signal).catch((error: unknown) => {
      if (isBusy(error) || signal?.aborted === true) breaker.abandoned();
      else breaker.failed();
      signal?.throwIfAborted();
      throw databaseUnavailable(error);
    });
    return guardedClient(client, signal === undefined ? guarding : { ...guarding, signal });
  }

  return {
    connect: () => connect(),
    end: () => pool.end(),
    watching(signal) {
      // Each statement is one, and a page may ask many at once.
      setMaxListeners(0, signal);
      // The pool is closed by whoever opened it.
      return { connect: () => connect(signal), end: async () => undefined };
    },
  };
}

/** Whether a server answers on a new connection, within the time that one may take. */
async function isReachable(client: Client): Promise<boolean> {
  client.on('error', () => undefined);
  const asked = client.connect().then(() => client.query('SELECT 1'));
  const answered = asked.then(() => true, isSqlState).finally(() => void client.end());
  return withTimeout(answered, connectMs, () => false);
}

/**
 * Connections to a PostgreSQL server, for Kysely. Opened when needed; lost ones are replaced by
 * themselves. A server that can't be reached gives AppError `request.unavailable` within two
 * seconds, and at once while that is known.
 */
export async function createPostgresPool({
  url,
  logger,
  max,
  queryTimeoutMs,
  silenceMs = 3000,
}: PostgresPoolOptions): Promise<ServerPool> {
  const { default: pg } = await import('pg');
  const server = {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    application_name: 'platform-service',
  };
  const pool = new pg.Pool({
    ...server,
    max,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    ...(queryTimeoutMs === undefined ? {} : { query_timeout: queryTimeoutMs }),
    types: {
      getTypeParser: (id: TypeId) =>
        valueParsers[id] ?? (pg.types.getTypeParser(id) as (text: string) => unknown),
    },
  });
  // Without these listeners the loss of a connection, idle or in use, would end the process.
  pool.on('error', (error) => logger.debug({ err: error }, 'an idle database connection was lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a database connection was lost'));
    if (queryTimeoutMs === undefined) return;
    // Before the driver gives up: otherwise the server would go on with what nobody waits for. No
    // startup parameters, which poolers refuse.
    const [statement, lock] = [Math.ceil(queryTimeoutMs * 0.9), Math.ceil(queryTimeoutMs / 2)];
    client
      .query(`SET statement_timeout = ${statement}; SET lock_timeout = ${lock}`)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'the time limits of a database connection could not be set'),
      );
  });
  return guardedPool(
    pool,
    createSilenceDetector({
      silenceMs,
      isReachable: () => isReachable(new pg.Client({ ...server, query_timeout: connectMs })),
    }),
  );
}
