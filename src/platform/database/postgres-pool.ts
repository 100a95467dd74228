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
  /** Maximum number of connections. */
  max: number;
  /** Milliseconds after which an unanswered statement fails. */
  queryTimeoutMs?: number;
  /** Milliseconds without any response after which the server is probed. */
  silenceMs?: number;
}

/** A pool of connections to a server, with cancellable statements. */
export interface ServerPool extends PostgresPool {
  /**
   * The same connections. Aborting the signal stops a wait for one and cancels a running statement.
   */
  watching: (signal: AbortSignal) => PostgresPool;
}

/** Connection timeout, for statements and for probes. Milliseconds. */
const connectTimeoutMs = 2000;

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
  /** Aborted when the caller no longer waits. */
  signal?: AbortSignal;
}

/**
 * Settles with `answer`. On abort, calls `onCancel` and asks the server to cancel the statement.
 */
async function cancelOnAbort<T>(
  answer: Promise<T>,
  client: PoolClient,
  signal: AbortSignal,
  onCancel: () => void,
): Promise<T> {
  const finished = new AbortController();
  const onAbort = () => {
    onCancel();
    void cancelUntil(client, finished.signal);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return answer.finally(() => {
    finished.abort();
    signal.removeEventListener('abort', onAbort);
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
    // With a SQLSTATE the server is reachable and reports its own problem.
    if (isSqlState(error)) answered();
    else breaker.failed();
    return databaseUnavailable(error);
  }

  async function ask(text: string, values: unknown[]): Promise<QueryResult> {
    signal?.throwIfAborted();
    // Otherwise a ROLLBACK, for example, would wait behind the statement that has timed out.
    if (brokenBy !== undefined) throw databaseUnavailable(brokenBy);
    const answer = silence.watched(send(client, names, text, values));
    try {
      // A late cancel must not hit the next statement, so the connection is closed. That waits
      // until the server is done, so that no more statements run than the pool has slots.
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
 * True when all connections of this pool or of the server are in use, which does not mean that the
 * server is unreachable.
 */
function isBusy(error: unknown): boolean {
  return (
    errorCode(error) === '53300' ||
    (error instanceof Error && error.message === 'timeout exceeded when trying to connect')
  );
}

/** Waits for a connection. If the signal is aborted first, it goes back to the pool at once. */
async function acquireClient(pool: Pool, signal: AbortSignal | undefined): Promise<PoolClient> {
  const connecting = pool.connect();
  if (signal === undefined) return connecting;
  return new Promise((resolve, reject) => {
    const onAbort = () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('nobody waits anymore'));
    signal.addEventListener('abort', onAbort, { once: true });
    connecting
      .then((client) => {
        if (signal.aborted) client.release();
        else resolve(client);
      }, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function guardedPool(pool: Pool, silence: SilenceDetector): ServerPool {
  const breaker = createCircuitBreaker();
  const guardOptions = { names: createStatementNames(), breaker, silence };

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
    return guardedClient(client, signal === undefined ? guardOptions : { ...guardOptions, signal });
  }

  return {
    connect: () => connect(),
    end: () => pool.end(),
    watching(signal) {
      // Each statement adds a listener, and a page may run many at once.
      setMaxListeners(0, signal);
      // The caller that opened the pool closes it.
      return { connect: () => connect(signal), end: async () => undefined };
    },
  };
}

/** True when the server answers on a new connection within the connection timeout. */
async function isReachable(client: Client): Promise<boolean> {
  client.on('error', () => undefined);
  const reply = client.connect().then(() => client.query('SELECT 1'));
  const isAnswered = reply.then(() => true, isSqlState).finally(() => void client.end());
  return withTimeout(isAnswered, connectTimeoutMs, () => false);
}

/**
 * Creates a pool of connections to a PostgreSQL server, for Kysely. Connections open on demand, and
 * lost ones are replaced. While the server is unreachable, statements throw AppError
 * `request.unavailable` within two seconds, and at once while the circuit breaker is open.
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
    connectionTimeoutMillis: connectTimeoutMs,
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
    // Shorter than the driver's timeout, or the server would continue a statement that the driver
    // has abandoned. Not set as startup parameters, which poolers reject.
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
      isReachable: () => isReachable(new pg.Client({ ...server, query_timeout: connectTimeoutMs })),
    }),
  );
}
