import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { postgresVersion, startPostgres } from './postgres.ts';
import { createDatabase, templateDatabase } from './server-database.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'test-databases');
const dayMs = 86_400_000;

/** Bundles the program that creates a database with all tables; only packages stay imports. */
async function bundleProgram(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['test/support/make-database.ts'],
    write: false,
    bundle: true,
    minify: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  return outputFiles[0]?.text ?? '';
}

/** Runs `work` in a temporary folder under node_modules, where programs can import packages. */
async function withTempFolder(work: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'new-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runProgram(code: string, folder: string, target: string): Promise<void> {
  const program = join(folder, 'program.mjs');
  await writeFile(program, code);
  await run(process.execPath, [program, target]);
}

async function removeOldTemplates(): Promise<void> {
  for (const name of await readdir(cache).catch(() => [])) {
    const path = join(cache, name);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && info.mtimeMs < Date.now() - dayMs)
      await rm(path, { recursive: true, force: true });
  }
}

/**
 * Returns what `make` creates, from an earlier run if neither the program nor `parts` nor a package
 * has changed since.
 */
async function cached(
  parts: readonly string[],
  make: (program: string, folder: string) => Promise<string>,
): Promise<string> {
  const program = await bundleProgram();
  const hash = createHash('sha256').update(program).update(parts.join());
  hash.update(await readFile(join(root, 'package-lock.json')));
  const path = join(cache, hash.digest('hex').slice(0, 16));
  if (existsSync(path)) return path;
  await removeOldTemplates();
  await withTempFolder(async (folder) => {
    const created = await make(program, folder);
    const draft = `${path}.${process.pid}`;
    await run('cp', ['-a', created, draft]);
    // When two runs create it at the same time, the first one wins.
    await rename(draft, path).catch((error: unknown) => {
      if (!existsSync(path)) throw error;
    });
  });
  return path;
}

/**
 * Returns the folder of an embedded database with all tables, to be copied: creating one takes
 * three seconds, a copy a twentieth.
 */
export const embeddedTemplate = (): Promise<string> =>
  cached(['embedded'], async (program, folder) => {
    const created = join(folder, 'postgres');
    await runProgram(program, folder, created);
    return created;
  });

/** Returns the data folder of a stopped PostgreSQL server that has the database of all tables. */
export const clusterTemplate = async (): Promise<string> =>
  cached(['server', await postgresVersion()], async (program, folder) => {
    const server = await startPostgres();
    const url = await createDatabase(server.url, templateDatabase);
    await runProgram(program, folder, url);
    await server.halt();
    return server.data;
  });

/** Copies the template to where an app expects its embedded database. */
export async function copyEmbedded(template: string, dataDir: string): Promise<void> {
  await copyFolder(template, join(dataDir, 'postgres'));
}

/** Copies a folder to a path that does not exist yet. */
export async function copyFolder(from: string, to: string): Promise<void> {
  // Node's own cp takes five times as long for a thousand small files.
  await run('cp', ['-R', from, to]);
}
