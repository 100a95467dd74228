import { describe, expect, it } from 'vitest';
import { importsOf } from '../../scripts/setup/imports.mjs';
import { sourceFiles } from './source-files.ts';

const files = sourceFiles();
const paths = new Set(files.map(({ path }) => path));

/** Returns a file's module: `platform/http`, `areas/identity`, `lib`, or a file in src itself. */
function moduleOf(path: string): string {
  const [layer = '', name = '', ...rest] = path.split('/');
  return /^(areas|surfaces|platform)$/.test(layer) && rest.length > 0 ? `${layer}/${name}` : layer;
}

/** Returns the modules from which each module imports values. */
function importedModules(): Map<string, Set<string>> {
  const graph = new Map(files.map(({ path }) => [moduleOf(path), new Set<string>()]));
  for (const { from, to, isTypeOnly } of files.flatMap(importsOf))
    if (!isTypeOnly && paths.has(to) && moduleOf(from) !== moduleOf(to))
      graph.get(moduleOf(from))?.add(moduleOf(to));
  return graph;
}

/** Returns the length of the longest import chain from each module. Throws at a cycle: names it. */
function depthsOf(graph: Map<string, Set<string>>): Map<string, number> {
  const depths = new Map<string, number>();
  function depthOf(module: string, above: readonly string[]): number {
    const chain = [...above, module];
    if (above.includes(module)) throw new Error(`a cycle: ${chain.join(' → ')}`);
    const known = depths.get(module);
    if (known !== undefined) return known;
    const below = [...(graph.get(module) ?? [])].map((next) => depthOf(next, chain));
    const found = Math.max(0, ...below) + 1;
    depths.set(module, found);
    return found;
  }
  for (const module of graph.keys()) depthOf(module, []);
  return depths;
}

describe('the modules of src', () => {
  it('import values from one another without a cycle, in chains of at most ten', () => {
    const depths = depthsOf(importedModules());
    expect(depths.size).toBeGreaterThan(30);
    expect([...depths].filter(([, depth]) => depth > 10)).toEqual([]);
    expect(depths.get('lib')).toBe(1);
  });
});
