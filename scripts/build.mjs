import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildGuides } from './guides.mjs';
import { buildNow } from './setup/output.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { main } from './setup/say.mjs';

const dayMs = 86_400_000;

// Native code, WebAssembly, packages that read files beside themselves, and what one of these loads anyway. All others are bundled: one file
// starts in half the time of a thousand.
const external = [
  '@duckdb/node-bindings', '@electric-sql/pglite', '@electric-sql/pglite/*', '@fastify/swagger-ui', '@fastify/static',
  '@ip-location-db/*', 'pg-native', 'esbuild',
];

// Bundled CommonJS packages expect these three names.
const banner = [
  "import { createRequire as $createRequire } from 'node:module';",
  'const require = $createRequire(import.meta.url);',
  'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join(' ');

function entryPoints() {
  const entries = { server: 'src/main.ts', worker: 'src/areas/analytics/worker/main.ts' };
  const commands = inRoot('src', 'commands');
  for (const file of existsSync(commands) ? readdirSync(commands) : []) {
    if (file.endsWith('.ts')) entries[file.slice(0, -3)] = `src/commands/${file}`;
  }
  return Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(inRoot(file))));
}

/** esbuild's options for every bundle of the service. */
export function buildOptions() {
  return {
    absWorkingDir: root,
    entryPoints: entryPoints(),
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    // Half the bytes to parse at each start. Names stay, so that stack traces can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    external,
    banner: { js: banner },
    logLevel: 'silent',
  };
}

/** esbuild's options for the scripts of pages: one small file each, which reads nothing besides. */
export function webOptions() {
  return {
    absWorkingDir: root,
    entryPoints: ['src/web/global-message-handler.ts', 'src/web/developer.ts', 'src/web/voyager.ts', 'src/web/console.ts'],
    outdir: 'dist/web',
    bundle: true,
    platform: 'browser',
    // Runs as a module and as a classic script, and leaves no names behind.
    format: 'iife',
    target: 'es2020',
    minify: true,
    charset: 'utf8',
    logLevel: 'silent',
  };
}

/** esbuild's options for the scripts that websites embed: each byte is loaded by every visitor. */
export function trackerOptions() {
  // What TypeScript's settings add, 'use strict', says nothing that holds in these files.
  return { ...webOptions(), entryPoints: { 'svc.min': 'src/web/svc.ts', 'svc.vitals.min': 'src/web/svc-vitals.ts' }, tsconfigRaw: '{}' };
}

/** esbuild's options for GraphiQL: with React, and for browsers that know modules. */
function graphiqlOptions() {
  return { ...webOptions(), entryPoints: ['src/web/graphiql.ts'], target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' }, legalComments: 'none' };
}

/** Packages that come as files for browsers are taken as they are, and so are types. */
function copyFiles() {
  mkdirSync(inRoot('dist', 'web'), { recursive: true });
  const from = inRoot('node_modules', 'graphql-voyager', 'dist');
  copyFileSync(`${from}/voyager.standalone.js`, inRoot('dist', 'web', 'voyager.standalone.js'));
  copyFileSync(`${from}/voyager.css`, inRoot('dist', 'web', 'voyager.standalone.css'));
  copyFileSync(inRoot('src', 'web', 'svc-global.d.ts'), inRoot('dist', 'web', 'svc.d.ts'));
}

/**
 * Gives packages that are imported later a module around them that names what they export: esbuild makes parts of
 * CommonJS packages with nothing but a default export.
 */
const namedExports = {
  name: 'named-exports',
  setup({ onResolve, onLoad }) {
    const isPackage = (path) => !path.startsWith('.') && !path.startsWith('node:') && !external.includes(path);
    onResolve({ filter: /./, namespace: 'file' }, ({ path, kind, pluginData }) =>
      (kind === 'dynamic-import' && pluginData === undefined && isPackage(path) ? { path, namespace: 'later' } : undefined));
    onLoad({ filter: /./, namespace: 'later' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'module.exports');
      return { contents: `export { ${names.join(', ')} } from ${JSON.stringify(path)};`, resolveDir: root };
    });
  },
};

/** The service's own bundle is several files: what it imports only when it needs it is not even read before. */
function serverOptions({ entryPoints: { server }, ...options }) {
  return { ...options, entryPoints: { server }, splitting: true, chunkNames: 'part-[hash]', plugins: [namedExports] };
}

function otherOptions({ entryPoints: { server: _server, ...others }, ...options }) {
  return { ...options, entryPoints: others };
}

/** Parts of earlier builds stay for a day: a service that was started from them may still need one. */
function removeOldParts() {
  const parts = readdirSync(inRoot('dist')).filter((file) => file.startsWith('part-')).map((file) => inRoot('dist', file));
  for (const part of parts.filter((each) => statSync(each).mtimeMs < Date.now() - dayMs)) rmSync(part);
}

/** Writes the bundles and their source maps to dist/. Throws an Error with one line for each mistake. */
export async function build() {
  const esbuild = await import('esbuild');
  const options = buildOptions();
  try {
    await Promise.all([esbuild.build(serverOptions(options)), esbuild.build(otherOptions(options)), esbuild.build(webOptions()), esbuild.build(trackerOptions()), esbuild.build(graphiqlOptions()), buildGuides()]);
    copyFiles();
    removeOldParts();
  } catch (error) {
    throw new Error(describe(error), { cause: error });
  }
}

function describe(error) {
  const lines = (error.errors ?? []).map(({ text, location }) => (location ? `${location.file}:${location.line}: ${text}` : text));
  return lines.join('\n') || error.message;
}

// Not awaited: buildNow imports this file and would wait for its end.
if (process.argv[1] === fileURLToPath(import.meta.url)) void main(buildNow);
