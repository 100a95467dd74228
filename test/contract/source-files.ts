import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface SourceFile {
  /** Below src, with `/`: `areas/analytics/ingest/ingest.ts`. */
  path: string;
  text: string;
}

export interface Import {
  from: string;
  /** A file below src, or the name of a package as it was written. */
  to: string;
  isTypeOnly: boolean;
}

export const root = join(import.meta.dirname, '../..');

/** All TypeScript files below src. */
export function sourceFiles(): SourceFile[] {
  const src = join(root, 'src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({
      path: path.replaceAll('\\', '/'),
      text: readFileSync(join(src, path), 'utf8'),
    }))
    .sort((a, b) => a.path.localeCompare(b.path));
}

const statement = /^\s*(?:import|export)\s+(type\s)?([^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

function target(from: string, specifier: string): string {
  return specifier.startsWith('.')
    ? posix.normalize(posix.join(posix.dirname(from), specifier))
    : specifier;
}

/** Everything a file imports or re-exports. `import { type A, type B }` counts as types only. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const found: Import[] = [];
  for (const [, type, names = '', specifier = ''] of text.matchAll(statement)) {
    const braces = /^\{(.*)\}\s+from\s+$/s.exec(names.trimStart());
    const inner =
      braces?.[1]
        ?.split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '') ?? [];
    const isTypeOnly =
      type !== undefined || (inner.length > 0 && inner.every((name) => name.startsWith('type ')));
    found.push({ from: path, to: target(path, specifier), isTypeOnly });
  }
  for (const [, specifier = ''] of text.matchAll(dynamic))
    found.push({ from: path, to: target(path, specifier), isTypeOnly: false });
  return found;
}

const textOrComment = new RegExp(
  [
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/,
    /`(?:\\.|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`\\])*`/,
    /\/\*[\s\S]*?\*\/|\/\/.*/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Removes comments and the contents of string literals, to search the code alone. */
export const codeOf = (text: string): string =>
  text.replace(textOrComment, (part) => (part.startsWith('/') ? '' : "''"));
