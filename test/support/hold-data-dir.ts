import { openDataDir } from '../../src/platform/files/data-dir.ts';

// Run as its own process by the data folder's tests: opens the folder, prints the outcome, and runs
// until it is killed.
try {
  await openDataDir(process.argv[2] ?? '');
  console.log('held');
  setInterval(() => undefined, 1000);
} catch (error) {
  console.log(error instanceof Error ? error.message : 'failed');
}
