import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'vitest/config';

// Node imports the compiled source itself. Through Vite's module runner, loading the 1,500 modules
// of the service takes five times as long, and each use of an import goes through a getter.

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src');
const target = join(root, 'node_modules', '.cache', 'test-source');
const manifestFile = join(target, 'manifest.json');
/** Changes when files have to be compiled in another way. */
const edition = '1';

/** Size and time of each source file, by path. */
type Manifest = Record<string, string>;

const isBrowserCode = (path: string): boolean => path.startsWith(join(source, 'web'));
const compiledPath = (path: string): string =>
  join(target, relative(source, path)).replace(/\.tsx?$/, '.js');

function listSources(folder = source): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isBrowserCode(path) ? [] : listSources(path);
    return /\.(?:tsx?|json)$/.test(entry.name) ? [path] : [];
  });
}

function stampOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `${edition} ${size} ${mtimeMs}`;
}

async function readManifest(): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(manifestFile, 'utf8')) as Manifest;
  } catch {
    return {};
  }
}

// Two runs may compile at the same time: a file is complete as soon as it has its name.
async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, path);
}

/** Makes import paths lead to compiled files. */
const rewriteImports = (code: string): string =>
  code
    .replace(/((?:from|import)\s*\(?\s*")(\.\.?\/[^"]+)\.tsx?"/g, '$1$2.js"')
    .replace(/(from\s*"\.\.?\/[^"]+\.json");/g, '$1 with { type: "json" };');

async function compile(paths: readonly string[]): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [...paths],
    outbase: source,
    outdir: target,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    jsx: 'automatic',
    jsxImportSource: '#jsx',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
  });
  await Promise.all(
    outputFiles.map(({ path, text }) =>
      writeWhole(path, path.endsWith('.js') ? rewriteImports(text) : text),
    ),
  );
}

/** Compiles the files of `src/` that were added or changed since the last run. */
export async function compileSource(): Promise<void> {
  mkdirSync(target, { recursive: true });
  const known = await readManifest();
  const found: Manifest = Object.fromEntries(listSources().map((path) => [path, stampOf(path)]));
  const changed = Object.keys(found).filter(
    (path) => known[path] !== found[path] || !existsSync(compiledPath(path)),
  );
  for (const path of Object.keys(known).filter((each) => found[each] === undefined))
    rmSync(compiledPath(path), { force: true });
  const modules = changed.filter((path) => !path.endsWith('.json'));
  if (modules.length > 0) await compile(modules);
  for (const path of changed.filter((each) => each.endsWith('.json')))
    await copyFile(path, compiledPath(path));
  if (changed.length === 0) return;
  // Node looks here for the meaning of `#jsx`.
  const jsx = { '#jsx/jsx-runtime': './lib/jsx/jsx-runtime.js' };
  await writeWhole(join(target, 'package.json'), JSON.stringify({ type: 'module', imports: jsx }));
  await writeWhole(manifestFile, JSON.stringify(found));
}

/** Resolves imports of `src/` to the compiled files, except for browser code. */
export function compiledSource(): Plugin {
  return {
    name: 'compiled-source',
    enforce: 'pre',
    async resolveId(specifier, importer, options) {
      if (!/^[.#]|^\/.*\/src\//.test(specifier)) return null;
      const resolved = await this.resolve(specifier, importer, { ...options, skipSelf: true });
      const path = resolved?.id.replace(/\?.*/, '');
      const isCompiled =
        path !== undefined &&
        path.startsWith(`${source}/`) &&
        /\.tsx?$/.test(path) &&
        !isBrowserCode(path);
      return isCompiled ? compiledPath(path) : null;
    },
  };
}

/** Matches the compiled files, which Vitest must not transform. */
export const compiledFiles = /\/node_modules\/\.cache\/test-source\//;
