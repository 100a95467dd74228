import { Migrator, sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from './tables.ts';
import { DatabaseStartError, errorCode } from './failure.ts';

const undefinedTable = '42P01';

/** Names of the migrations applied to this database; undefined when it was never migrated. */
async function appliedMigrations(db: Kysely<Tables>): Promise<string[] | undefined> {
  try {
    const { rows } = await sql<{
      name: string;
    }>`select name from kysely_migration order by name`.execute(db);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === undefinedTable) return undefined;
    throw error;
  }
}

/**
 * True when all `migrations` have been applied. Throws when the database has one that is not among
 * them: a later one, or one from before the first release.
 */
export async function isMigrated(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<boolean> {
  const applied = await appliedMigrations(db);
  if (applied === undefined) return false;
  const unknown = applied.find((name) => !(name in migrations));
  if (unknown !== undefined) {
    const isNewer = Object.keys(migrations).every((name) => name < unknown);
    throw new DatabaseStartError(
      `The database has the migration ${unknown}, which this version does not know. ` +
        (isNewer
          ? 'Start the newer version.'
          : 'It is from before the first release and cannot be upgraded: start with an empty ' +
            'database and an empty DATA_DIR.'),
    );
  }
  return applied.length === Object.keys(migrations).length;
}

/**
 * Runs the pending migrations in one transaction, under an advisory lock: of several processes that
 * start together, one migrates and the others wait.
 */
export async function migrate(
  db: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
  logger: Logger,
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('migration failed', { cause: error });
  if (results.length > 0)
    logger.info(
      { migrations: results.map(({ migrationName }) => migrationName) },
      'database migrated',
    );
}
