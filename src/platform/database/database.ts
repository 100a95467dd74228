import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration, PostgresPool } from 'kysely';
import type { Logger } from 'pino';
import { DatabaseStartError, errorCode } from './failure.ts';
import { isMigrated, migrate } from './migrate.ts';
import { createPglitePool } from './pglite-pool.ts';
import { createPostgresPool, type ServerPool } from './postgres-pool.ts';
import { AppError } from '../errors/errors.ts';
import type { Tables } from './tables.ts';
import { parseUrl } from '../../lib/net/parse-url.ts';

export type Database = Kysely<Tables>;

/** A PostgreSQL server at `url`, or the embedded one in the folder `dataDir`. */
export type DatabaseOptions = {
  logger: Logger;
  /** All migrations by name. They run in the order of their names. */
  migrations: Readonly<Record<string, Migration>>;
} & ({ url: string; poolSize?: number } | { dataDir: string });

const statementTimeoutMs = 10_000;

const kyselyOver = (pool: PostgresPool): Database =>
  new Kysely({ dialect: new PostgresDialect({ pool }) });

/** A database on a server, as opposed to the embedded one. */
type ServerDatabase = Database & Pick<ServerPool, 'watching'>;

const isOnServer = (db: Database): db is ServerDatabase => 'watching' in db;

const overServer = (pool: ServerPool): ServerDatabase =>
  Object.assign(kyselyOver(pool), { watching: pool.watching });

/**
 * Returns a handle to the same database for reads that may be slow. When the signal is aborted, its
 * statements reject with the signal's reason: those waiting for a connection at once, a running one
 * when the server has cancelled it. The embedded database is returned unchanged: it runs on this
 * thread, which cannot handle an abort before the statement ends. So is a transaction.
 */
export function cancellable(db: Database, signal: AbortSignal | undefined): Database {
  return signal !== undefined && isOnServer(db) ? kyselyOver(db.watching(signal)) : db;
}

function locationOf(options: DatabaseOptions): string {
  if ('dataDir' in options) return `The embedded PostgreSQL in ${options.dataDir}`;
  const url = parseUrl(options.url);
  if (url === undefined) return 'PostgreSQL at DATABASE_URL';
  return `PostgreSQL at ${url.searchParams.get('host') ?? url.host}${url.pathname}`;
}

function startError(options: DatabaseOptions, error: unknown): DatabaseStartError {
  if (error instanceof DatabaseStartError) return error;
  const cause = error instanceof AppError ? error.cause : error;
  const reason =
    cause instanceof Error && cause.message !== ''
      ? cause.message
      : (errorCode(cause) ?? 'unknown reason');
  return new DatabaseStartError(
    `${locationOf(options)} cannot be used: ${reason.replace(/\s+/g, ' ')}`,
    { cause },
  );
}

const openPool = async (options: DatabaseOptions): Promise<Database> =>
  'url' in options
    ? overServer(
        await createPostgresPool({
          ...options,
          max: options.poolSize ?? 10,
          queryTimeoutMs: statementTimeoutMs,
        }),
      )
    : kyselyOver(await createPglitePool(options.dataDir));

async function migrateServer({
  url,
  logger,
  migrations,
}: DatabaseOptions & { url: string }): Promise<void> {
  // A separate pool: a migration, or the wait for another process that migrates, may take longer
  // than the statement timeout.
  const db = kyselyOver(await createPostgresPool({ url, logger, max: 1 }));
  try {
    await migrate(db, migrations, logger);
  } finally {
    await db.destroy();
  }
}

async function migrateIfNeeded(db: Database, options: DatabaseOptions): Promise<void> {
  if (await isMigrated(db, options.migrations)) return;
  await ('url' in options
    ? migrateServer(options)
    : migrate(db, options.migrations, options.logger));
}

/**
 * Opens the record store and runs pending migrations. Close it with `destroy()`. Throws
 * DatabaseStartError when it can't be used. If the server is lost later, every statement throws
 * AppError `request.unavailable` (503) until it is back; nothing has to be reopened.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  let db: Database | undefined;
  try {
    db = await openPool(options);
    await migrateIfNeeded(db, options);
    return db;
  } catch (error) {
    await db?.destroy();
    throw startError(options, error);
  }
}

/**
 * Returns the milliseconds that a query took. Throws when the database is read-only or unavailable.
 */
export async function pingDatabase(db: Database): Promise<number> {
  const start = performance.now();
  const {
    rows: [found],
  } = await sql<{
    read_only: string;
  }>`select current_setting('transaction_read_only') as read_only`.execute(db);
  if (found?.read_only === 'on') throw new Error('the database is read-only');
  return performance.now() - start;
}
