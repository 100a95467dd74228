import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from './output.mjs';
import { ensurePackages } from './packages.mjs';
import { inRoot, root } from './paths.mjs';
import {
  ensureChromium,
  ensureCurl,
  ensureHaproxy,
  ensurePostgres,
  ensureRedis,
} from './programs.mjs';
import { SetupError, main, say } from './say.mjs';

const given = process.argv.slice(2);
const { TEST_SUITE, TEST_STORES } = process.env;
const faults = given.includes('--faults') || TEST_SUITE === 'faults';
const postgres = given.includes('--postgres') || TEST_STORES === 'postgres';
const slow = given.includes('--slow') || TEST_SUITE === 'slow';
const vitestArgs = given.filter(
  (argument) => !['--faults', '--postgres', '--slow'].includes(argument),
);
/** Bytes. */
const leastMemory = 4 * 2 ** 30;
// The areas once more, over a PostgreSQL server in place of PGlite.
if (postgres && vitestArgs.length === 0) vitestArgs.push('test/areas');

await main(async () => {
  await ensurePackages();
  await ensureBuild();
  await ensureRedis();
  await ensurePostgres().catch(sayOnly);
  if (faults) await ensureHaproxy().catch(sayOnly);
  if (!slow && !faults) await ensureCurl().catch(sayOnly);
  if (slow) await ensureChromium().catch(sayOnly);
  process.exitCode = await runSuite();
});

function sayOnly(error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
}

/**
 * Runs vitest and gives its exit code, or 1 when not one test has run. The report goes to
 * TEST_REPORT when that is set.
 */
async function runSuite() {
  const folder = mkdtempSync(join(placeForFolders(), 'test-run-'));
  // PostgreSQL runs as a user of its own, who has to get to its folder in there.
  chmodSync(folder, 0o711);
  const report = process.env.TEST_REPORT || join(folder, 'report.json');
  try {
    const code = await vitest(report, folder);
    return code === 0 && ran(report) === 0 ? noTestRan() : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Where the tests' data folders go. Hundreds of new databases are mostly new files, which cost a
 * disk far more than memory; what is about disks, faults, stays on one.
 */
function placeForFolders() {
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
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const env = {
    ...process.env,
    TEST_SUITE: faults ? 'faults' : slow ? 'slow' : 'normal',
    TEST_STORES: postgres ? 'postgres' : 'embedded',
    TMPDIR: folder,
  };
  const child = spawn(
    process.execPath,
    [inRoot('node_modules', 'vitest', 'vitest.mjs'), ...args, ...vitestArgs],
    { cwd: root, env, stdio: 'inherit' },
  );
  // The terminal sends Ctrl-C to vitest as well; this process waits for it, so that its stores are
  // stopped.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function ran(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return numPassedTests + numFailedTests;
  } catch {
    return 0;
  }
}

function noTestRan() {
  say('No test has run: the filter or the suite is empty.');
  return 1;
}
