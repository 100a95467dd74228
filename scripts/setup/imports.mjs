import { posix } from 'node:path';

const statement = /^\s*(?:import|export)\s+(type\s)?([^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/**
 * Everything a file imports or re-exports. `import { type A, type B }` counts as types only.
 *
 * @param {{ path: string, text: string }} file
 * @returns {{ from: string, to: string, isTypeOnly: boolean }[]} `to` is a path in the same folder
 * as `from`, or the name of a package as it was written.
 */
export function importsOf({ path, text }) {
  const statements = [...text.matchAll(statement)].map(([, type, names = '', specifier = '']) => ({
    specifier,
    isTypeOnly: type !== undefined || hasOnlyTypes(names),
  }));
  const calls = [...text.matchAll(dynamic)].map(([, specifier = '']) => ({
    specifier,
    isTypeOnly: false,
  }));
  return [...statements, ...calls].map(({ specifier, isTypeOnly }) => ({
    from: path,
    to: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier,
    isTypeOnly,
  }));
}

/** @param {string} names */
function hasOnlyTypes(names) {
  const inBraces = /^\{(.*)\}\s+from\s+$/s.exec(names.trimStart())?.[1] ?? '';
  const parts = inBraces
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return parts.length > 0 && parts.every((name) => name.startsWith('type '));
}
