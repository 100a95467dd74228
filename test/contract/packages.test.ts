import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const Versions = z.record(z.string(), z.string()).default({});
const Project = z.object({
  engines: z.object({ node: z.string() }),
  dependencies: Versions,
  devDependencies: Versions,
});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      engines: z.union([z.object({ node: z.string().optional() }), z.array(z.string())]).optional(),
      optionalDependencies: Versions,
    }),
  ),
});

const project = Project.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
/**
 * The packages that declare a range of Node versions. Very old ones declare a list instead, which
 * npm ignores.
 */
const packagesWithEngines = Object.entries(packages).flatMap(([path, { dev, optional, engines }]) =>
  // npm does not check optional packages: it leaves out those that do not fit.
  optional || engines === undefined || Array.isArray(engines) || engines.node === undefined
    ? []
    : [{ path, dev, node: engines.node }],
);

const findIncompatible = (node: string, packagesOf: typeof packagesWithEngines) =>
  packagesOf
    .filter((each) => !satisfies(node, each.node))
    .map(({ path, node: range }) => `${path} wants ${range}`);

describe('the packages of the lockfile', () => {
  it.each(['20.19.0', '22.16.0', '24.0.0'])(
    'support Node %s, so that npm ci prints no warning',
    (node) => {
      expect(satisfies(node, project.engines.node)).toBe(true);
      expect(findIncompatible(node, packagesWithEngines)).toEqual([]);
      expect(packagesWithEngines.length).toBeGreaterThan(500);
    },
  );

  // ESLint and html-validate need a later 22.
  it.each(['20.19.0', '22.12.0', '24.0.0'])(
    'support Node %s if they are runtime dependencies',
    (node) => {
      const needed = packagesWithEngines.filter(({ dev }) => !dev);
      expect(findIncompatible(node, needed)).toEqual([]);
      expect(needed.length).toBeGreaterThan(50);
    },
  );
});

// `npm ci` refuses such a lockfile. `node scripts/complete-lock.mjs` adds what is missing.
it('the lockfile lists the optional packages of every platform', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !(`node_modules/${name}` in packages))
      .filter((name) => !(`${path}/node_modules/${name}` in packages))
      .map((name) => `${path} wants ${name}`),
  );
  expect(missing).toEqual([]);
});

it('every direct dependency has an exact version, in alphabetical order', () => {
  for (const versions of [project.dependencies, project.devDependencies]) {
    expect(
      Object.entries(versions).filter(
        ([, version]) => !/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
      ),
    ).toEqual([]);
    expect(Object.keys(versions)).toEqual(Object.keys(versions).sort());
  }
});
