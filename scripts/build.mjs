import { decode, encode } from '@jridgewell/sourcemap-codec';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildGuides } from './guides.mjs';
import { buildNow } from './setup/output.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { main } from './setup/say.mjs';

const dayMs = 86_400_000;

// Native code, WebAssembly, packages that read their own files, and packages that one of these
// loads anyway. All others are bundled: one file starts in half the time of a thousand.
const external = [
  '@duckdb/node-bindings',
  '@electric-sql/pglite',
  '@electric-sql/pglite/*',
  '@fastify/swagger-ui',
  '@fastify/static',
  '@ip-location-db/*',
  'pg-native',
  'esbuild',
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

/**
 * Removes the positions in packages from a source map: they are of little use, and were nine tenths
 * of the map, which is read whole at each start. The first position of each stretch stays, and
 * points to the start of its file: without it, a trace would show a package's code as our last line
 * before it.
 */
function withoutPackages(text) {
  const map = JSON.parse(text);
  const isPackages = map.sources.map((source) => source.includes('node_modules/'));
  let shown = -1;
  const shorten = ([column, source, ...position]) => {
    if (source === undefined || !isPackages[source]) {
      shown = -1;
      return [[column, ...(source === undefined ? [] : [source, ...position])]];
    }
    if (shown === source) return [];
    shown = source;
    return [[column, source, 0, 0]];
  };
  return JSON.stringify({
    ...map,
    mappings: encode(decode(map.mappings).map((line) => line.flatMap(shorten))),
  });
}

/** Shrinks the source maps as soon as esbuild has written them. */
const smallMaps = {
  name: 'small-maps',
  setup({ onEnd }) {
    onEnd(({ metafile }) => {
      for (const file of Object.keys(metafile?.outputs ?? {}).filter((each) =>
        each.endsWith('.map'),
      ))
        writeFileSync(inRoot(file), withoutPackages(readFileSync(inRoot(file), 'utf8')));
    });
  },
};

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
    // Traces need positions, not the sources themselves.
    sourcesContent: false,
    metafile: true,
    plugins: [smallMaps],
    // Halves the bytes to parse at each start. Names stay, so that stack traces are readable.
    minifyWhitespace: true,
    minifySyntax: true,
    external,
    banner: { js: banner },
    logLevel: 'silent',
  };
}

/** esbuild's options for the scripts of pages: one small file each, without further imports. */
export function webOptions() {
  return {
    absWorkingDir: root,
    entryPoints: {
      console: 'src/web/console/main.ts',
      developer: 'src/web/developer/main.ts',
      'global-message-handler': 'src/web/messages/global-message-handler.ts',
      voyager: 'src/web/graphql/voyager.ts',
    },
    outdir: 'dist/web',
    bundle: true,
    platform: 'browser',
    // Runs as a module and as a classic script, and leaves no names behind.
    format: 'iife',
    target: 'es2020',
    minify: true,
    charset: 'utf8',
    // Without TypeScript's settings, which add 'use strict': these files do not need it.
    tsconfigRaw: '{}',
    logLevel: 'silent',
  };
}

/** esbuild's options for the scripts that websites embed: each byte is loaded by every visitor. */
export function trackerOptions() {
  return {
    ...webOptions(),
    entryPoints: {
      'svc.min': 'src/web/tracker/main.ts',
      'svc.vitals.min': 'src/web/tracker/vitals.ts',
    },
  };
}

/** esbuild's options for GraphiQL: with React, and for browsers that support modules. */
function graphiqlOptions() {
  return {
    ...webOptions(),
    entryPoints: { graphiql: 'src/web/graphql/graphiql.ts' },
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
  };
}

/** Copies browser files of packages, and the types of the tracker, unchanged. */
function copyFiles() {
  mkdirSync(inRoot('dist', 'web'), { recursive: true });
  const from = inRoot('node_modules', 'graphql-voyager', 'dist');
  copyFileSync(`${from}/voyager.standalone.js`, inRoot('dist', 'web', 'voyager.standalone.js'));
  copyFileSync(`${from}/voyager.css`, inRoot('dist', 'web', 'voyager.standalone.css'));
  copyFileSync(inRoot('src', 'web', 'tracker', 'svc.d.ts'), inRoot('dist', 'web', 'svc.d.ts'));
}

/**
 * Wraps dynamically imported packages in a module with named exports: esbuild would give a chunk of
 * a CommonJS package only a default export.
 */
const namedExports = {
  name: 'named-exports',
  setup({ onResolve, onLoad }) {
    const isPackage = (path) =>
      !path.startsWith('.') && !path.startsWith('node:') && !external.includes(path);
    onResolve({ filter: /./, namespace: 'file' }, ({ path, kind, pluginData }) =>
      kind === 'dynamic-import' && pluginData === undefined && isPackage(path)
        ? { path, namespace: 'later' }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'later' }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => name !== 'module.exports');
      return {
        contents: `export { ${names.join(', ')} } from ${JSON.stringify(path)};`,
        resolveDir: root,
      };
    });
  },
};

/**
 * Splits the service and the commands into several files: code behind a dynamic import is read only
 * when it is needed, and shared code exists once.
 */
function serviceOptions({ entryPoints: { worker: _worker, ...entryPoints }, plugins, ...options }) {
  return {
    ...options,
    entryPoints,
    splitting: true,
    chunkNames: 'part-[hash]',
    plugins: [...plugins, namedExports],
  };
}

/** The event store's thread is one file, which is read while the service starts. */
function workerOptions({ entryPoints: { worker }, ...options }) {
  return { ...options, entryPoints: { worker } };
}

/**
 * Removes parts of builds older than a day: a service started from a newer one may still need them.
 */
function removeOldParts() {
  const parts = readdirSync(inRoot('dist'))
    .filter((file) => file.startsWith('part-'))
    .map((file) => inRoot('dist', file));
  for (const part of parts.filter((each) => statSync(each).mtimeMs < Date.now() - dayMs))
    rmSync(part);
}

/**
 * Writes the bundles and their source maps to dist/. Throws an Error with one line per build error.
 */
export async function build() {
  const esbuild = await import('esbuild');
  const options = buildOptions();
  try {
    await Promise.all([
      esbuild.build(serviceOptions(options)),
      esbuild.build(workerOptions(options)),
      esbuild.build(webOptions()),
      esbuild.build(trackerOptions()),
      esbuild.build(graphiqlOptions()),
      buildGuides(),
    ]);
    copyFiles();
    removeOldParts();
  } catch (error) {
    throw new Error(describe(error), { cause: error });
  } finally {
    // Otherwise esbuild's process would live as long as the service that is started after a build.
    await esbuild.stop();
  }
}

function describe(error) {
  const lines = (error.errors ?? []).map(({ text, location }) =>
    location ? `${location.file}:${location.line}: ${text}` : text,
  );
  return lines.join('\n') || error.message;
}

// Not awaited: buildNow imports this file, and would wait for it to finish.
if (process.argv[1] === fileURLToPath(import.meta.url)) void main(buildNow);
