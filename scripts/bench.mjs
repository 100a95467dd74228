import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { requireNode } from './setup/node-version.mjs';
import { ensureBuild } from './setup/output.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { ensureChromium, ensurePostgres, ensureRedis } from './setup/programs.mjs';
import { SetupError, main, say } from './setup/say.mjs';
import { ensureProgram } from './setup/system-packages.mjs';

// `npm run bench -- ingest --quick` bundles bench/ingest.ts and runs it with `--quick`; `all` runs
// these, one after another.
const all = ['ingest', 'dashboard', 'start'];
// Those that send requests with wrk.
const withLoad = ['ingest', 'realtime', 'auth', 'pages', 'graphql', 'mcp', 'qr'];
const wrk = {
  names: ['wrk'],
  packages: { 'apt-get': ['wrk'], apk: ['wrk'], brew: ['wrk'] },
  otherwise: 'it sends the requests of most benchmarks (https://github.com/wg/wrk).',
};

requireNode(20, 19);
const [name = '', ...passedArgs] = process.argv.slice(2);
await main(async () => {
  if (process.platform !== 'linux')
    throw new SetupError('The benchmarks need Linux: they read CPU time and memory from /proc.');
  const names = name === 'all' ? all : [name];
  if (!names.every((each) => programs().includes(each)))
    throw new SetupError(`Name a benchmark: npm run bench -- ${[...programs(), 'all'].join('|')}`);
  await ensurePackages();
  await ensureBuild();
  await ensureRedis();
  if (names.some((each) => withLoad.includes(each))) await ensureProgram(wrk);
  if (names.includes('console')) await ensureChromium().catch(reportSetupError);
  if (names.includes('start') || names.includes('realtime'))
    await ensurePostgres().catch(reportSetupError);
  for (const each of names) process.exitCode = (await runBundled(each)) || process.exitCode;
});

function reportSetupError(error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
}

function sources(folder) {
  return readdirSync(inRoot(folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file.slice(0, -3), `${folder}/${file}`]);
}

function programs() {
  return sources('bench').map(([each]) => each);
}

/**
 * Bundles a benchmark and the programs it starts into a folder inside the project, where their
 * imports resolve to node_modules. Runs it and returns its exit code.
 */
async function runBundled(program) {
  mkdirSync(inRoot('.tmp'), { recursive: true });
  const folder = mkdtempSync(inRoot('.tmp', 'bench-code-'));
  try {
    const { build } = await import('esbuild');
    await build({
      absWorkingDir: root,
      outdir: folder,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      sourcemap: 'inline',
      logLevel: 'error',
      entryPoints: Object.fromEntries([
        [program, `bench/${program}.ts`],
        ...sources('bench/programs'),
      ]),
    });
    return await run(`${folder}/${program}.js`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(bundle) {
  const child = spawn(process.execPath, ['--enable-source-maps', bundle, ...passedArgs], {
    cwd: root,
    stdio: 'inherit',
  });
  // The terminal sends Ctrl-C to the benchmark as well; this process waits while it cleans up.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
