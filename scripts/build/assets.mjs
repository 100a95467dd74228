import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { inRoot, root } from '../setup/paths.mjs';
import { basicFont, moreFont } from './font.mjs';
import { iconSprite } from './icons.mjs';
import { flagFiles, markFiles } from './marks.mjs';
import { worldMap } from './world-map.mjs';

const styles = [
  'account',
  'chart',
  'pages',
  'site',
  'console',
  'developer',
  'folds',
  'graphiql',
  'home',
  'outbox',
  'reference',
  'share',
  'status',
  'voyager',
];
const scripts = [
  'account',
  'chart',
  'console',
  'contact',
  'developer',
  'devices',
  'fragment',
  'pages',
  'passkeys',
  'reference',
  'status',
];

/** The files of pages, by the name that the manifest gives them. */
const entryPoints = [
  ...styles.map((name) => ({ in: `src/web/styles/${name}.css`, out: name })),
  ...scripts.map((name) => ({ in: `src/web/${name}/main.ts`, out: name })),
  { in: 'src/web/icon.svg', out: 'icon' },
  { in: 'generated:icons.svg', out: 'icons' },
  { in: 'generated:marks.json', out: 'marks' },
  { in: 'generated:flags.json', out: 'flags' },
  { in: 'generated:world.svg', out: 'world' },
];

const makers = {
  'flags.json': flagFiles,
  'icons.svg': iconSprite,
  'inter.woff2': basicFont,
  'latin.woff2': moreFont,
  'marks.json': markFiles,
  'world.svg': worldMap,
};

/** An esbuild plugin for the files that are made by the build: `generated:inter.woff2`. */
const generatedFiles = {
  name: 'generated-files',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^generated:/ }, ({ path }) => ({
      path: path.slice('generated:'.length),
      namespace: 'generated',
    }));
    onLoad({ filter: /./, namespace: 'generated' }, async ({ path }) => ({
      contents: await makers[path](),
      loader: path.endsWith('.woff2') ? 'file' : 'copy',
    }));
  },
};

const codeOptions = {
  absWorkingDir: root,
  entryNames: '[name].[hash]',
  assetNames: '[name].[hash]',
  bundle: true,
  platform: 'browser',
  // What knows `light-dark()` knows all of this.
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  tsconfigRaw: '{}',
  legalComments: 'none',
  metafile: true,
  logLevel: 'silent',
};

/** The folder of what scripts load on demand; browsers ask for it by this path, too. */
const partsPath = '/assets/parts';

/** esbuild's options for a script and what it loads on demand, each a file of its own. */
const partOptions = (esbuild, { path, outdir }) => ({
  ...codeOptions,
  entryPoints: [path],
  outdir: `${outdir}/parts`,
  format: 'esm',
  plugins: [parts(esbuild, outdir)],
});

/**
 * An esbuild plugin that makes a file of its own of each module that a script imports on demand.
 * It has all that it needs: a browser loads one file, and not one more for each module that it
 * shares with the script.
 */
const parts = (esbuild, outdir) => ({
  name: 'parts',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const options = partOptions(esbuild, { path: resolve(resolveDir, path), outdir });
      const { metafile } = await esbuild.build(options);
      const [file] = Object.keys(metafile.outputs);
      return { path: `${partsPath}/${basename(file)}`, external: true };
    });
  },
});

const assetOptions = (esbuild, outdir) => ({
  ...codeOptions,
  entryPoints,
  outdir,
  format: 'iife',
  loader: { '.svg': 'copy' },
  plugins: [generatedFiles, parts(esbuild, outdir)],
});

/** `console.4XJ2QH7B.css` is `console.css` in the manifest. */
const nameOf = (file) => file.replace(/\.[A-Z0-9]{8}(?=\.\w+$)/, '');

/** Removes the files of an earlier build from a folder. */
function keepOnly(folder, kept) {
  for (const each of readdirSync(inRoot(folder), { withFileTypes: true }))
    if (each.isFile() && !kept.has(each.name)) rmSync(inRoot(folder, each.name), { force: true });
}

/**
 * Writes style sheets, scripts, font and icons of pages to `outdir`/web/assets, each with a hash of
 * its content in its name, and manifest.json, which has the file of each name; what scripts load on
 * demand is in parts/. Files of an earlier build are removed: a running service has read its own at
 * its start.
 */
export async function buildAssets(esbuild, outdir) {
  const folder = `${outdir}/web/assets`;
  rmSync(inRoot(folder, 'parts'), { recursive: true, force: true });
  mkdirSync(inRoot(folder, 'parts'), { recursive: true });
  const { metafile } = await esbuild.build(assetOptions(esbuild, folder));
  const files = Object.keys(metafile.outputs).map((path) => basename(path));
  const manifest = Object.fromEntries(files.sort().map((file) => [nameOf(file), file]));
  const path = inRoot(folder, 'manifest.json');
  writeFileSync(`${path}.new`, `${JSON.stringify(manifest, undefined, 2)}\n`);
  renameSync(`${path}.new`, path);
  keepOnly(folder, new Set([...files, 'manifest.json']));
}
