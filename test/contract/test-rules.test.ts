import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, sourceFiles } from './source-files.ts';

/** The text of all tests in a folder of `test/`. */
const testsIn = (folder: string): string =>
  readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, 'test', folder, path), 'utf8'))
    .join('\n');

it('every area with tables has a test file that runs on the embedded database', () => {
  const areas = new Set(
    sourceFiles().flatMap(({ path }) => /^areas\/([^/]+)\/.*migrations\//.exec(path)?.[1] ?? []),
  );
  expect(areas.size).toBeGreaterThan(12);
  // The others run on a PostgreSQL server.
  const missing = [...areas].filter(
    (area) => !/isEmbedded: true|openTestDatabase\(/.test(testsIn(`areas/${area}`)),
  );
  expect(missing).toEqual([]);
});

it('no test file closes an app that it shares with others', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.test\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, 'test', path), 'utf8') }))
    .filter(({ text }) => text.includes('support/shared-app.ts'));
  expect(files.length).toBeGreaterThan(50);
  const closing = files.filter(({ text }) =>
    /\bapp\.(?:http\.close|stores\.\w+\.(?:destroy|disconnect|quit))\(/.test(text),
  );
  expect(closing.map(({ path }) => path)).toEqual([]);
});
