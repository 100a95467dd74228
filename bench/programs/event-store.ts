import { join } from 'node:path';
import { openDuckdbStore } from '../../src/platform/events/duckdb/store.ts';

/**
 * Opens an event store in the folder given as the argument, and says by IPC how much memory the process had before
 * and has now: what DuckDB takes, which the service cannot be started without.
 */
const before = process.memoryUsage.rss();
const store = await openDuckdbStore({ path: join(process.argv[2] ?? '.', 'events.duckdb'), gapMs: 1_800_000 });
await new Promise((resolve) => setTimeout(resolve, 500));
process.send?.({ before, after: process.memoryUsage.rss() });
process.once('disconnect', () => {
  store.close();
  process.exit(0);
});
