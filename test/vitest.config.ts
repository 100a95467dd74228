import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// TEST_SUITE=faults (npm test -- --faults) runs the slow suite that kills and starves the service, alone and in order.
const faults = process.env.TEST_SUITE === 'faults';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: faults ? ['test/faults/**/*.test.ts'] : ['test/**/*.test.ts'],
    exclude: faults ? [] : ['test/faults/**'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: faults ? 1 : Math.max(2, availableParallelism()),
    testTimeout: faults ? 300_000 : 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
