import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceFile {
  /** Below src, with `/`: `areas/analytics/ingest/ingest.ts`. */
  path: string;
  text: string;
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
