import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration, PostgresPool } from 'kysely';
import type { Logger } from 'pino';
import { DatabaseStartError, errorCode } from './failure.ts';
import { isMigrated, migrate } from './migrate.ts';
import { createPglitePool } from './pglite-pool.ts';
import { createPostgresPool, type ServerPool } from './postgres-pool.ts';
import { AppError } from '../errors/errors.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;

/** A PostgreSQL server by `url`, or the embedded one in the folder `dataDir`. */
export type DatabaseOptions = {
  logger: Logger;
  /** Every migration by name. Names sort in the order in which they run. */
  migrations: Readonly<Record<string, Migration>>;
} & ({ url: string; poolSize?: number } | { dataDir: string });

const statementTimeoutMs = 10_000;

const kyselyOver = (pool: PostgresPool): Database =>
  new Kysely({ dialect: new PostgresDialect({ pool }) });

/** The records on a server. */
type ServerDatabase = Database & Pick<ServerPool, 'watching'>;

const isOnServer = (db: Database): db is ServerDatabase => 'watching' in db;

const overServer = (pool: ServerPool): ServerDatabase =>
  Object.assign(kyselyOver(pool), { watching: pool.watching });

/**
 * The same records for reads that may be slow. When the signal is aborted, its statements reject
 * with the signal's reason: those that wait for a connection at once, and one under way when the
 * server has cancelled it. The embedded database is given back as it is: it runs on this thread,
 * which cannot hear of an abort before the statement is over. So is a transaction.
 */
export function cancellable(db: Database, signal: AbortSignal | undefined): Database {
  return signal !== undefined && isOnServer(db) ? kyselyOver(db.watching(signal)) : db;
}

function locationOf(options: DatabaseOptions): string {
  if ('dataDir' in options) return `The embedded PostgreSQL in ${options.dataDir}`;
  if (!URL.canParse(options.url)) return 'PostgreSQL at DATABASE_URL';
  const url = new URL(options.url);
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

const openRecords = async (options: DatabaseOptions): Promise<Database> =>
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
  // A pool of its own: a migration, or the wait for another process that migrates, may outlast the
  // statement timeout.
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
 * Opens the record store and brings its tables up to date; `destroy()` closes it. Throws
 * DatabaseStartError when it can't be used. Later a lost server gives AppError
 * `request.unavailable` (503) from every statement until it is back; nothing has to be reopened.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  let db: Database | undefined;
  try {
    db = await openRecords(options);
    await migrateIfNeeded(db, options);
    return db;
  } catch (error) {
    await db?.destroy();
    throw startError(options, error);
  }
}

/** Milliseconds that a query took. Throws when the database is read-only or unavailable. */
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
