import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { importsOf } from './imports.mjs';
import { inRoot, root } from './paths.mjs';
import { SetupError } from './say.mjs';

/**
 * Returns the paths of all files that differ from the commit from which HEAD and `since` branched
 * off (which is `since` itself when it is in HEAD's history): committed or not, added or removed.
 */
export function changedFiles(since) {
  const base = git('merge-base', since, 'HEAD').trim();
  const differing = git('diff', '--name-only', '--no-renames', '-z', base, '--');
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set(`${differing}${untracked}`.split('\0').filter(Boolean))].sort();
}

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new SetupError(`--changed needs git and a revision: ${error.stderr || error.message}`);
  }
}

/** Returns the paths of the test files of all suites. */
export const testFiles = () => filesIn('test').filter((path) => /\.test\.tsx?$/.test(path));

/**
 * Returns what the files of src/ and test/ import, except types: a map from a file's path to the
 * paths of files and the names of packages.
 */
export function valueImports() {
  const files = [...filesIn('src'), ...filesIn('test')].filter((path) => /\.tsx?$/.test(path));
  return new Map(
    files.map((path) => {
      const imports = importsOf({ path, text: readFileSync(inRoot(path), 'utf8') });
      return [path, imports.filter(({ isTypeOnly }) => !isTypeOnly).map(({ to }) => to)];
    }),
  );
}

const filesIn = (folder) =>
  readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' }).map(
    (path) => `${folder}/${path.replaceAll('\\', '/')}`,
  );
