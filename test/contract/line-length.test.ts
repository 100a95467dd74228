import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './source-files.ts';

// Prettier does not wrap comments, strings and templates.
it('no line of code or comment is longer than 100 characters, outside fixtures', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'test', 'bench', 'scripts'], { cwd: root })
    .toString()
    .split('\n')
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.includes('fixtures/'));
  const long = files.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.length > 100 ? [`${path}:${at + 1}`] : [])),
  );
  expect(long).toEqual([]);
  expect(files.length).toBeGreaterThan(1000);
});
