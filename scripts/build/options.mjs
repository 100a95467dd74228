import { readdirSync } from 'node:fs';
import { inRoot, root } from '../setup/paths.mjs';
import { namedExports } from './named-exports.mjs';
import { prebuiltPackages } from './packages.mjs';
import { smallMaps } from './source-maps.mjs';

// Native code, WebAssembly, packages that read files beside themselves, and what one of these loads
// anyway. All others are bundled: one file starts in half the time of a thousand.
const external = [
  '@duckdb/node-bindings',
  '@electric-sql/pglite',
  '@electric-sql/pglite/*',
  '@fastify/swagger-ui',
  '@fastify/static',
  '@ip-location-db/*',
  '@undecaf/zbar-wasm',
  'pdfkit',
  'pg-native',
  'esbuild',
  'zxing-wasm',
];

// Bundled CommonJS packages expect these three names.
const banner = [
  "import { createRequire as $createRequire } from 'node:module';",
  'const require = $createRequire(import.meta.url);',
  'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join(' ');

const serverEntry = { server: 'src/main.ts' };
const workerEntry = {
  worker: 'src/areas/analytics/worker/main.ts',
  'qr-reader': 'src/areas/qr/reading/reader-thread.ts',
};

/** Each file of src/commands, by the name of its command. */
function commandEntries() {
  const files = readdirSync(inRoot('src', 'commands')).filter((file) => file.endsWith('.ts'));
  return Object.fromEntries(files.map((file) => [file.slice(0, -3), `src/commands/${file}`]));
}

const nodeOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  // Stack traces need positions, not the sources.
  sourcesContent: false,
  logLevel: 'silent',
};

const bundleOptions = {
  ...nodeOptions,
  metafile: true,
  // Half the bytes to parse at each start. Names stay, so that stack traces can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  external,
  banner: { js: banner },
};

/**
 * esbuild's options for the service and the commands. They are several files: a file that is
 * imported lazily is not even read before, and shared code is there once.
 */
export const serviceOptions = (outdir) => ({
  ...bundleOptions,
  outdir,
  entryPoints: { ...serverEntry, ...commandEntries() },
  splitting: true,
  chunkNames: 'part-[hash]',
  plugins: [smallMaps, namedExports(external)],
});

/** esbuild's options for threads: one file each. The event store's is read while the service is. */
export const workerOptions = (outdir) => ({
  ...bundleOptions,
  outdir,
  entryPoints: workerEntry,
  plugins: [smallMaps],
});

/**
 * esbuild's options for `npm run dev`: the service and its thread, with packages built once and
 * apart, because a rebuild then takes a third of a second.
 */
export const devOptions = (outdir) => ({
  ...nodeOptions,
  outdir,
  entryPoints: { ...serverEntry, ...workerEntry },
  plugins: [prebuiltPackages(outdir)],
});

/** esbuild's options for the packages of `npm run dev`. */
export const packageOptions = {
  ...nodeOptions,
  sourcemap: false,
  minifyWhitespace: true,
  minifySyntax: true,
  external,
  banner: { js: banner },
  entryPoints: { ...serverEntry, ...workerEntry },
  plugins: [namedExports(external)],
};

/** esbuild's options for the scripts with a stable URL: one small file each. */
export const pageScriptOptions = (outdir) => ({
  absWorkingDir: root,
  entryPoints: {
    'global-message-handler': 'src/web/messages/global-message-handler.ts',
    voyager: 'src/web/graphql/voyager.ts',
    waitlist: 'src/web/waitlist/embed.ts',
  },
  outdir: `${outdir}/web`,
  bundle: true,
  platform: 'browser',
  // Runs as a module and as a classic script, and adds no globals.
  format: 'iife',
  target: 'es2020',
  minify: true,
  charset: 'utf8',
  // Without TypeScript's settings, which add 'use strict': nothing in these files needs it.
  tsconfigRaw: '{}',
  logLevel: 'silent',
});

/** esbuild's options for the scripts that websites embed: every visitor loads each byte. */
export const trackerOptions = (outdir) => ({
  ...pageScriptOptions(outdir),
  entryPoints: {
    'svc.min': 'src/web/tracker/main.ts',
    'svc.vitals.min': 'src/web/tracker/vitals.ts',
  },
});

/** esbuild's options for GraphiQL: with React, and for browsers that know modules. */
export const graphiqlOptions = (outdir) => ({
  ...pageScriptOptions(outdir),
  entryPoints: { graphiql: 'src/web/graphql/graphiql.ts' },
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
});
