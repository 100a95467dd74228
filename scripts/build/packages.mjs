import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { inRoot } from '../setup/paths.mjs';

/** The file of a package in dist-dev/packages/: `csv-parse/sync` is `csv-parse__sync`. */
const fileNameOf = (name) => name.replaceAll('/', '__');

/** Returns the names of the packages that a build with these options imports. */
async function importedPackages(esbuild, options) {
  const { metafile } = await esbuild.build({
    ...options,
    plugins: [],
    packages: 'external',
    metafile: true,
    outdir: 'unused',
    write: false,
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const names = imports.filter(({ external, path }) => external && !path.startsWith('node:'));
  return [...new Set(names.map(({ path }) => path))];
}

/** A module that exports what Node finds in the package: esbuild sees no names in CommonJS. */
async function entryModule(name) {
  const names = Object.keys(await import(name)).filter((each) => each !== 'module.exports');
  return `export { ${names.join(', ')} } from ${JSON.stringify(name)};\n`;
}

/**
 * Bundles the packages that the service imports to `outdir`/packages/, one file for each.
 * `options` are esbuild's options for them. Packages that stay outside bundles are left out.
 */
export async function buildPackages(esbuild, outdir, options) {
  const folder = inRoot(outdir, 'packages');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/entries`, { recursive: true });
  const all = await importedPackages(esbuild, options);
  const bundled = all.filter(
    (name) => !options.external.some((each) => name === each || name.startsWith(`${each}/`)),
  );
  const entryPoints = await Promise.all(
    bundled.map(async (name) => {
      const file = `${folder}/entries/${fileNameOf(name)}.mjs`;
      writeFileSync(file, await entryModule(name));
      return { in: file, out: fileNameOf(name) };
    }),
  );
  await esbuild.build({ ...options, entryPoints, outdir: folder, splitting: true });
}

/** An esbuild plugin that takes packages from `outdir`/packages/, or else from node_modules. */
export const prebuiltPackages = (outdir) => ({
  name: 'prebuilt-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      const file = `packages/${fileNameOf(path)}.js`;
      const isPrebuilt = existsSync(inRoot(outdir, file));
      return { path: isPrebuilt ? `./${file}` : path, external: true };
    });
  },
});
