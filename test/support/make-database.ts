import { migrations } from '../../src/app/migrations.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/process/logger.ts';

// Run as its own process by database-template.ts: makes all tables in the folder or server it is
// given.
const place = process.argv[2] ?? '';
const logger = createLogger({ level: 'error' });
const db = await openDatabase(
  place.startsWith('postgres:')
    ? { migrations, logger, url: place }
    : { migrations, logger, dataDir: place },
);
await db.destroy();
