import { join } from 'node:path';
import { openEventStore } from '../../src/areas/analytics/store/duckdb/store.ts';

/**
 * Opens an event store in the folder given as the argument, and prints how much memory the process
 * had before and has now: what DuckDB takes, which the service cannot be started without.
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
