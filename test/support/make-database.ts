import { migrations } from '../../src/app/migrations.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createLogger } from '../../src/platform/process/logger.ts';

// Run as its own process by database-template.ts: creates all tables in the given folder, or in the
// database at the given URL.
const target = process.argv[2] ?? '';
const logger = createLogger({ level: 'error' });
const db = await openDatabase(
  target.startsWith('postgres:')
    ? { migrations, logger, url: target }
    : { migrations, logger, dataDir: target },
);
await db.destroy();
