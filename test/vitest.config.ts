import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// TEST_SUITE=faults (npm test -- --faults) runs the slow suite that kills and starves the service,
// alone and in order.
const faults = process.env.TEST_SUITE === 'faults';
// TEST_SUITE=slow (npm test -- --slow): a real browser, and what takes longer than ten seconds by
// itself.
const slow = process.env.TEST_SUITE === 'slow';
const slowFiles = ['test/**/*.slow.test.ts'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: faults ? ['test/faults/**/*.test.ts'] : slow ? slowFiles : ['test/**/*.test.ts'],
    exclude: faults || slow ? [] : ['test/faults/**', ...slowFiles],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // One graph of modules for all files of a worker: reading the code anew for each took a third
    // of the time. No module has state of its own.
    isolate: faults || slow,
    maxWorkers: faults ? 1 : Math.max(2, availableParallelism()),
    // Busy machines need longer than vitest's second.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: faults ? 300_000 : slow ? 60_000 : 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
