import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compiledFiles, compiledSource, compileSource } from './support/compiled-source.ts';

// TEST_SUITE=faults (npm test -- --faults) runs the slow suite that kills and starves the service,
// one file at a time.
const faults = process.env.TEST_SUITE === 'faults';
// TEST_SUITE=slow (npm test -- --slow) runs the tests that need a real browser or take longer than
// ten seconds.
const slow = process.env.TEST_SUITE === 'slow';
const slowFiles = ['test/**/*.slow.test.{ts,tsx}'];

// A watching run needs Vite to know which tests import a changed file.
const isWatching = !process.argv.includes('run');
if (!isWatching) await compileSource();

export default defineConfig({
  plugins: isWatching ? [] : [compiledSource()],
  root: fileURLToPath(new URL('..', import.meta.url)),
  // The same runtime as in the build.
  oxc: { jsx: { runtime: 'automatic', importSource: '#jsx', development: false } },
  test: {
    include: faults
      ? ['test/faults/**/*.test.{ts,tsx}']
      : slow
        ? slowFiles
        : ['test/**/*.test.{ts,tsx}'],
    exclude: faults || slow ? [] : ['test/faults/**', ...slowFiles],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/matchers.ts'],
    pool: 'forks',
    server: { deps: { external: [compiledFiles] } },
    execArgv: ['--max-semi-space-size=64', ...(isWatching ? [] : ['--enable-source-maps'])],
    // All test files of a worker share one module graph: loading the code again for each file took
    // a third of the time. No module holds state.
    isolate: faults,
    maxWorkers: faults ? 1 : Math.max(2, availableParallelism()),
    // A busy machine needs longer than vitest's default of one second.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: faults ? 300_000 : slow ? 60_000 : 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
