import { posix } from 'node:path';

/**
 * @typedef {object} Project
 * @property {string[]} changed Paths of the files that were changed, added or removed.
 * @property {string[]} tests Paths of all test files.
 * @property {ReadonlyMap<string, readonly string[]>} imports What each file imports, except types.
 */

/** Files on which every test depends. */
const baseOfAll = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'test/vitest.config.ts',
  'test/support/compiled-source.ts',
  'test/support/global-setup.ts',
];
/** Files that put the service together. They import everything. */
const assembly = /^src\/(app\/|[^/]+$)|\/(plugin|compose)\.ts$/;
/** Files that decide how routes answer. */
const answering = [
  /^src\/(app\/|[^/]+$)/,
  /^src\/platform\/(http|openapi|operations|resource|validation)\//,
  /^src\/.*\/(routes|operations|schemas|errors|guards|plugin)[^/]*\.tsx?$/,
];
/** Files that decide what is stored of people. */
const storing = [/^src\/.*\/((tables|personal-data)\.ts|migrations\/[^/]+)$/];
/** Files that tests read or start without importing them, and where these tests are. */
const readWithoutImport = [
  [/^docs\//, ['test/guides/', 'test/surfaces/developer/']],
  [/^public\//, ['test/surfaces/pages/']],
  [/^scripts\//, ['test/scripts/', 'test/commands/']],
  [/^src\/web\//, ['test/platform/ui/']],
  [/^(Dockerfile|\.dockerignore|\.npmrc)$/, ['test/contract/dockerfile']],
];

/**
 * Chooses the tests that a change can break. Tests reach most code through the app, which imports
 * everything, so imports alone would choose nearly all tests for any change: the names of folders
 * count as well, and imports of the app do not.
 *
 * @param {Project} project
 * @returns {{ why: string, tests: string[] }[]} Each test once, with the first reason to choose it.
 */
export function chooseTests(project) {
  const { changed, tests } = project;
  const inContract = startingWith(tests, 'test/contract/');
  const reasons = [
    ['changed, or importing a changed file', importingTests(project)],
    ['of the folder of a changed file', changed.flatMap((path) => ownTests(path, project))],
    ['of a folder that imports a changed file', neighbours(project)],
    ['reading a changed file', changed.flatMap((path) => readingTests(path, tests))],
    ['checking the source as a whole', sourceChecks(project)],
    ['checking all routes', anyMatches(changed, answering) ? inContract : []],
    [
      'checking personal data',
      anyMatches(changed, storing) ? startingWith(tests, 'test/app/') : [],
    ],
    ['that depend on package.json or the like', anyIn(changed, baseOfAll) ? tests : []],
  ];
  const chosen = new Set();
  return reasons.flatMap(([why, candidates]) => {
    const added = [...new Set(candidates)].filter((path) => !chosen.has(path)).sort();
    for (const path of added) chosen.add(path);
    return added.length === 0 ? [] : [{ why, tests: added }];
  });
}

/**
 * Says what was chosen and why.
 *
 * @param {{ since: string, changed: string[], total: number }} about
 * @param {{ why: string, tests: string[] }[]} chosen
 * @returns {string[]} Lines.
 */
export function describeChoice({ since, changed, total }, chosen) {
  const count = chosen.reduce((sum, { tests }) => sum + tests.length, 0);
  return [
    `Changed since ${since}: ${describeFolders(changed)}`,
    ...chosen.map(({ why, tests }) => `${String(tests.length).padStart(5)} ${why}`),
    `${count} of ${total} test files run here, all of them in CI.`,
  ];
}

/** `3 files: 2 in src/areas/qr, 1 in docs/guides`, at most five folders. */
function describeFolders(changed) {
  if (changed.length === 0) return 'nothing';
  const counts = new Map();
  for (const path of changed) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
  const parts = [...counts].map(([folder, count]) => `${count} in ${folder}`);
  if (parts.length > 5) parts.splice(5, Infinity, '…');
  return `${changed.length} ${changed.length === 1 ? 'file' : 'files'}: ${parts.join(', ')}`;
}

/** `src/areas/qr/drawing/png.ts` → `src/areas/qr`, `README.md` → `.`. */
const folderOf = (path) => posix.dirname(path).split('/').slice(0, 3).join('/');

const anyIn = (paths, list) => paths.some((path) => list.includes(path));
const anyMatches = (paths, patterns) =>
  paths.some((path) => patterns.some((pattern) => pattern.test(path)));
const startingWith = (tests, beginning) => tests.filter((path) => path.startsWith(beginning));

/** Tests that were changed, or import a changed file: themselves or through files they import. */
function importingTests({ changed, tests, imports }) {
  // Shared support takes apps, stores and clients from src: not what the tests are about.
  const isFollowed = (from, to) =>
    !to.startsWith('src/app/') && !(from.startsWith('test/support/') && to.startsWith('src/'));
  const reached = new Set(changed);
  const importers = importersOf(imports, isFollowed);
  for (const path of reached) for (const importer of importers(path)) reached.add(importer);
  return tests.filter((path) => reached.has(path));
}

/** Tests of the folders that import a changed file, also through files of its area or surface. */
function neighbours({ changed, tests, imports }) {
  const isFollowed = (from) => from.startsWith('src/') && !assembly.test(from);
  const importers = importersOf(imports, isFollowed);
  return changed.flatMap((path) => {
    const reached = new Set([path]);
    for (const each of reached)
      if (each === path || isInSameFolder(each, path))
        for (const importer of importers(each)) reached.add(importer);
    return [...reached].flatMap((each) => ownTests(each, { tests, imports }));
  });
}

/** Returns a function from a path to the files that import it, as far as imports are followed. */
function importersOf(imports, isFollowed) {
  const importers = new Map();
  for (const [from, targets] of imports)
    for (const to of targets)
      if (isFollowed(from, to)) importers.set(to, [...(importers.get(to) ?? []), from]);
  return (path) => importers.get(path) ?? [];
}

/** `src/areas/qr/drawing/png.ts` → `areas/qr`. */
const topFolderOf = (path) => /^src\/((areas|surfaces)\/[^/]+)\//.exec(path)?.[1];
const isInSameFolder = (one, other) =>
  topFolderOf(one) !== undefined && topFolderOf(one) === topFolderOf(other);

/**
 * The tests of a source file by name: for an area those of the whole area and those that use its
 * test support, else those of the nearest folder that has any.
 */
function ownTests(path, { tests, imports }) {
  if (!path.startsWith('src/')) return [];
  const folder = topFolderOf(path);
  if (folder?.startsWith('areas/'))
    return tests.filter(
      (test) =>
        test.startsWith(`test/${folder}/`) ||
        imports.get(test)?.some((to) => to.startsWith(`test/${folder}/`)),
    );
  return nearestTests(posix.dirname(path).slice('src/'.length), tests);
}

/** `surfaces/console/qr/labels` → tests in it, or like `console/qr-files.test.ts`, or above. */
function nearestTests(folder, tests) {
  if (['', '.', 'lib', 'platform', 'surfaces'].includes(folder)) return [];
  const found = ['/', '.', '-'].flatMap((end) => startingWith(tests, `test/${folder}${end}`));
  return found.length > 0 ? found : nearestTests(posix.dirname(folder), tests);
}

/** Tests of what is read or built. Scripts of pages belong to the area or surface of their name. */
function readingTests(path, tests) {
  const script = /^src\/web\/([^/]+)\//.exec(path)?.[1];
  const beginnings = [
    ...readWithoutImport.flatMap(([pattern, found]) => (pattern.test(path) ? found : [])),
    ...(script === undefined ? [] : [`test/areas/${script}/`, `test/surfaces/${script}/`]),
  ];
  return tests.filter((test) => beginnings.some((beginning) => test.startsWith(beginning)));
}

/** Tests of test/contract without an app: they read all source files. */
function sourceChecks({ changed, tests, imports }) {
  if (!changed.some((path) => /^(src|test|bench|scripts)\//.test(path))) return [];
  const importers = importersOf(imports, () => true);
  const excluded = new Set(['test/support/app.ts']);
  for (const path of excluded) for (const importer of importers(path)) excluded.add(importer);
  // It asks the compiler for the types of all markup, which takes longer than all others.
  if (!changed.some((path) => path.endsWith('.tsx'))) excluded.add('test/contract/markup.test.ts');
  return startingWith(tests, 'test/contract/').filter((path) => !excluded.has(path));
}
