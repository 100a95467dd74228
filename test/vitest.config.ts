import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { ProjectConfig } from 'vitest/node';
import { compiledFiles, compiledSource, compileSource } from './support/compiled-source.ts';

// TEST_SUITE=faults (npm test -- --faults) runs the suite that kills and starves the service.
const faults = process.env.TEST_SUITE === 'faults';
// TEST_SUITE=slow (npm test -- --slow) runs the tests that need a real browser or take longer than
// ten seconds.
const slow = process.env.TEST_SUITE === 'slow';
const slowFiles = ['test/**/*.slow.test.{ts,tsx}'];

// A watching run needs Vite to know which tests import a changed file.
const isWatching = !process.argv.includes('run');
if (!isWatching) await compileSource();

const shared = {
  plugins: isWatching ? [] : [compiledSource()],
  root: fileURLToPath(new URL('..', import.meta.url)),
  // The same runtime as in the build.
  oxc: { jsx: { runtime: 'automatic', importSource: '#jsx', development: false } },
} as const;

const inEveryTest = {
  pool: 'forks',
  setupFiles: ['test/support/matchers.ts', 'test/support/around-files.ts'],
  server: { deps: { external: [compiledFiles] } },
  execArgv: ['--max-semi-space-size=64', ...(isWatching ? [] : ['--enable-source-maps'])],
  // All test files of a worker share one module graph: loading the code again for each file took
  // a third of the time. No module holds state.
  isolate: false,
  // A busy machine needs longer than vitest's default of one second.
  expect: { poll: { timeout: 10_000 } },
  // How long the set-up at the top of each file takes: see scripts/setup/slowest-files.mjs.
  experimental: { importDurations: { limit: Infinity } },
  // Far more than any test needs on a quiet machine.
  testTimeout: faults ? 300_000 : 60_000,
  hookTimeout: 60_000,
  restoreMocks: true,
  unstubEnvs: true,
} satisfies ProjectConfig;

// The fault tests run as two projects, one after the other. Most tests have processes, ports and
// disks of their own, and mostly wait: three files run side by side. Those in test/faults/alone/
// compare responses with the clock or need every processor: nothing runs beside them.
const aloneFiles = ['test/faults/alone/*.test.ts'];
const faultProjects = [
  { name: 'faults', include: ['test/faults/**/*.test.ts'], exclude: aloneFiles, maxWorkers: 3 },
  { name: 'faults-alone', include: aloneFiles, maxWorkers: 1 },
].map((project, at) => ({
  ...shared,
  test: { ...inEveryTest, ...project, sequence: { groupOrder: at + 1 } },
}));

export default defineConfig({
  ...shared,
  test: {
    ...inEveryTest,
    ...(faults ? { projects: faultProjects } : {}),
    include: slow ? slowFiles : ['test/**/*.test.{ts,tsx}'],
    exclude: slow ? [] : ['test/faults/**', ...slowFiles],
    globalSetup: ['test/support/global-setup.ts'],
    maxWorkers: Math.max(2, availableParallelism()),
    teardownTimeout: 20_000,
  },
});
