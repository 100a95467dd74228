import { join } from 'node:path';
import { openEventStore } from '../../src/areas/analytics/store/duckdb/store.ts';

/**
 * Opens an event store in the folder given as the argument, and prints the resident memory before
 * and after: what DuckDB takes, without which the service cannot be started.
 */
const before = process.memoryUsage.rss();
const store = await openEventStore({
  path: join(process.argv[2] ?? '.', 'events.duckdb'),
  gapMs: 1_800_000,
});
await new Promise((resolve) => setTimeout(resolve, 500));
console.log(JSON.stringify({ before, after: process.memoryUsage.rss() }));
process.stdin
  .once('end', () => {
    store.close();
    process.exit(0);
  })
  .resume();
