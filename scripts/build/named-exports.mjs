import { root } from '../setup/paths.mjs';

/**
 * An esbuild plugin that wraps packages imported with `import()` in a module that names their
 * exports: esbuild gives a CommonJS package that is a file of its own only a default export.
 */
export function namedExports(external) {
  const isPackage = (path) =>
    !path.startsWith('.') && !path.startsWith('node:') && !external.includes(path);
  return {
    name: 'named-exports',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./, namespace: 'file' }, ({ path, kind, pluginData }) =>
        kind === 'dynamic-import' && pluginData === undefined && isPackage(path)
          ? { path, namespace: 'lazy' }
          : undefined,
      );
      onLoad({ filter: /./, namespace: 'lazy' }, async ({ path }) => {
        const names = Object.keys(await import(path)).filter((name) => name !== 'module.exports');
        return {
          contents: `export { ${names.join(', ')} } from ${JSON.stringify(path)};`,
          resolveDir: root,
        };
      });
    },
  };
}
