import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedFiles, testFiles, valueImports } from './changed-files.mjs';
import { chooseTests, describeChoice } from './changed-tests.mjs';
import { allParts, ensureBuild } from './output.mjs';
import { ensurePackages } from './packages.mjs';
import { inRoot, root } from './paths.mjs';
import {
  ensureChromium,
  ensureCurl,
  ensureHaproxy,
  ensurePoppler,
  ensurePostgres,
  ensureRedis,
  ensureZbar,
} from './programs.mjs';
import { SetupError, main, say } from './say.mjs';

const passedArgs = process.argv.slice(2);
const { TEST_SUITE, TEST_STORES } = process.env;
const faults = passedArgs.includes('--faults') || TEST_SUITE === 'faults';
const embedded = passedArgs.includes('--embedded') || TEST_STORES === 'embedded';
const slow = passedArgs.includes('--slow') || TEST_SUITE === 'slow';
const changed = passedArgs.find((argument) => /^--changed(=|$)/.test(argument));
const exhaustive = passedArgs.includes('--exhaustive');
const vitestArgs = passedArgs.filter(
  (argument) => ![changed, '--exhaustive', '--faults', '--embedded', '--slow'].includes(argument),
);
/** Without PostgreSQL, or with --embedded, the tests' records are in PGlite. */
let hasPostgres = false;
/** Free bytes in /dev/shm that the tests need. */
const leastMemory = 4 * 2 ** 30;

await main(async () => {
  if (changed !== undefined && !addChangedTests()) return;
  await ensurePackages();
  await ensureBuild(partsOfSuite());
  await ensureRedis();
  hasPostgres = await ensurePostgres().then(() => true, reportSetupError);
  if (faults) await ensureHaproxy().catch(reportSetupError);
  if (!slow && !faults) await ensureCurl().catch(reportSetupError);
  if (slow)
    for (const ensure of [ensureChromium, ensureZbar, ensurePoppler])
      await ensure().catch(reportSetupError);
  process.exitCode = await runSuite();
});

/** Adds the tests that a change can break to vitest's arguments. Returns whether there are any. */
function addChangedTests() {
  const since = changed.split('=')[1] || 'HEAD';
  const files = changedFiles(since);
  const all = testFiles();
  const suite = all.filter(isInSuite);
  const chosen = chooseTests({ changed: files, tests: all, imports: valueImports() })
    .map(({ why, tests }) => ({ why, tests: tests.filter(isInSuite) }))
    .filter(({ tests }) => tests.length > 0);
  for (const line of describeChoice({ since, changed: files, total: suite.length }, chosen))
    say(line);
  vitestArgs.push(...chosen.flatMap(({ tests }) => tests));
  return chosen.length > 0;
}

// As in test/vitest.config.ts.
function isInSuite(path) {
  if (path.startsWith('test/faults/')) return faults;
  return /\.slow\.test\.tsx?$/.test(path) ? slow : !slow && !faults;
}

// The normal suite runs the service's source; the others start the built service.
function partsOfSuite() {
  return slow || faults ? allParts : allParts.filter((part) => part !== 'service');
}

function reportSetupError(error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  return false;
}

/**
 * Runs vitest and returns its exit code, or 1 when no test has run. The report is written to
 * TEST_REPORT if that is set.
 */
async function runSuite() {
  const folder = mkdtempSync(join(chooseTempFolder(), 'test-run-'));
  // PostgreSQL runs as another user, which needs access to its folder inside this one.
  chmodSync(folder, 0o711);
  const report = process.env.TEST_REPORT || join(folder, 'report.json');
  try {
    const code = await vitest(report, folder);
    return code === 0 && countRun(report) === 0 ? reportNoTests() : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the folder for the tests' data. Hundreds of new databases are mostly new files, which are
 * far slower on a disk than in memory; only the fault tests, which are about disks, stay on one.
 */
function chooseTempFolder() {
  const memory = '/dev/shm';
  if (faults || process.env.TMPDIR !== undefined || process.platform !== 'linux') return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= leastMemory ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

function vitest(report, folder) {
  const args = [
    ...(passedArgs.includes('--watch') ? [] : ['run']),
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--reporter=${inRoot('scripts', 'setup', 'slowest-files.mjs')}`,
    `--outputFile.json=${report}`,
  ];
  const env = {
    ...process.env,
    TEST_SUITE: faults ? 'faults' : slow ? 'slow' : 'normal',
    TEST_STORES: hasPostgres && !embedded ? 'postgres' : 'embedded',
    TEST_EXHAUSTIVE: exhaustive ? '1' : '0',
    TMPDIR: folder,
  };
  const child = spawn(
    process.execPath,
    [inRoot('node_modules', 'vitest', 'vitest.mjs'), ...args, ...vitestArgs],
    { cwd: root, env, stdio: 'inherit' },
  );
  // The terminal sends Ctrl-C to vitest as well; this process waits while vitest stops its stores.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function countRun(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return numPassedTests + numFailedTests;
  } catch {
    return 0;
  }
}

function reportNoTests() {
  say('No tests ran: the filter matches none, or the suite is empty.');
  return 1;
}
