import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from './output.mjs';
import { ensurePackages } from './packages.mjs';
import { inRoot, root } from './paths.mjs';
import { ensureChromium, ensureCurl, ensureHaproxy, ensurePostgres, ensureRedis } from './programs.mjs';
import { SetupError, main, say } from './say.mjs';

const given = process.argv.slice(2);
const faults = given.includes('--faults');
const postgres = given.includes('--postgres');
const slow = given.includes('--slow');
const vitestArgs = given.filter((argument) => !['--faults', '--postgres', '--slow'].includes(argument));
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

/** Runs vitest and gives its exit code, or 1 when not one test has run. The report goes to TEST_REPORT when that is set. */
async function runSuite() {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'));
  const report = process.env.TEST_REPORT || join(folder, 'report.json');
  try {
    const code = await vitest(report);
    return code === 0 && ran(report) === 0 ? noTestRan() : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function vitest(report) {
  const args = ['run', '--config', 'test/vitest.config.ts', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const env = { ...process.env, TEST_SUITE: faults ? 'faults' : slow ? 'slow' : 'normal', TEST_STORES: postgres ? 'postgres' : 'embedded' };
  const child = spawn(process.execPath, [inRoot('node_modules', 'vitest', 'vitest.mjs'), ...args, ...vitestArgs], { cwd: root, env, stdio: 'inherit' });
  // The terminal sends Ctrl-C to vitest as well; this process waits for it, so that its stores are stopped.
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
