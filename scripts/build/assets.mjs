import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { inRoot, root } from '../setup/paths.mjs';
import { cutFont } from './font.mjs';
import { iconSprite } from './icons.mjs';
import { flagFiles, markSprite } from './marks.mjs';
import { worldMap } from './world-map.mjs';

const styles = [
  'chart',
  'pages',
  'site',
  'console',
  'developer',
  'graphiql',
  'share',
  'status',
  'voyager',
];
const scripts = [
  'chart',
  'console',
  'contact',
  'developer',
  'devices',
  'fragment',
  'pages',
  'passkeys',
  'status',
];

/** The files of pages, by the name that the manifest gives them. */
const entryPoints = [
  ...styles.map((name) => ({ in: `src/web/styles/${name}.css`, out: name })),
  ...scripts.map((name) => ({ in: `src/web/${name}/main.ts`, out: name })),
  { in: 'src/web/icon.svg', out: 'icon' },
  { in: 'generated:icons.svg', out: 'icons' },
  { in: 'generated:marks.svg', out: 'marks' },
  { in: 'generated:flags.json', out: 'flags' },
  { in: 'generated:world.svg', out: 'world' },
];

const makers = {
  'flags.json': flagFiles,
  'icons.svg': iconSprite,
  'inter.woff2': cutFont,
  'marks.svg': markSprite,
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

const assetOptions = (outdir) => ({
  absWorkingDir: root,
  entryPoints,
  outdir,
  entryNames: '[name].[hash]',
  assetNames: '[name].[hash]',
  bundle: true,
  platform: 'browser',
  format: 'iife',
  // What knows `light-dark()` knows all of this.
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  tsconfigRaw: '{}',
  legalComments: 'none',
  loader: { '.svg': 'copy' },
  metafile: true,
  logLevel: 'silent',
  plugins: [generatedFiles],
});

/** `console.4XJ2QH7B.css` is `console.css` in the manifest. */
const nameOf = (file) => file.replace(/\.[A-Z0-9]{8}(?=\.\w+$)/, '');

/**
 * Writes style sheets, scripts, font and icons of pages to `outdir`/web/assets, each with a hash of
 * its content in its name, and manifest.json, which has the file of each name. Files of an earlier
 * build are removed: a running service has read its own at its start.
 */
export async function buildAssets(esbuild, outdir) {
  const folder = `${outdir}/web/assets`;
  mkdirSync(inRoot(folder), { recursive: true });
  const { metafile } = await esbuild.build(assetOptions(folder));
  const files = Object.keys(metafile.outputs).map((path) => basename(path));
  const manifest = Object.fromEntries(files.sort().map((file) => [nameOf(file), file]));
  const path = inRoot(folder, 'manifest.json');
  writeFileSync(`${path}.new`, `${JSON.stringify(manifest, undefined, 2)}\n`);
  renameSync(`${path}.new`, path);
  const kept = new Set([...files, 'manifest.json']);
  for (const file of readdirSync(inRoot(folder)).filter((each) => !kept.has(each)))
    rmSync(inRoot(folder, file), { force: true });
}
