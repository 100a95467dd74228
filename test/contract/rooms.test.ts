import { describe, expect, it } from 'vitest';
import { importsOf, sourceFiles } from './source-files.ts';

const files = sourceFiles();
const paths = new Set(files.map(({ path }) => path));

/** `platform/http`, `areas/auth`, `lib`, or the name of a file at the root of src. */
function roomOf(path: string): string {
  const [tier = '', room = '', ...rest] = path.split('/');
  return /^(areas|surfaces|platform)$/.test(tier) && rest.length > 0 ? `${tier}/${room}` : tier;
}

/** The rooms that each room imports values of. */
function importedRooms(): Map<string, Set<string>> {
  const graph = new Map(files.map(({ path }) => [roomOf(path), new Set<string>()]));
  for (const { from, to, isTypeOnly } of files.flatMap(importsOf))
    if (!isTypeOnly && paths.has(to) && roomOf(from) !== roomOf(to))
      graph.get(roomOf(from))?.add(roomOf(to));
  return graph;
}

/** The longest way down from each room. Throws at a cycle, and names it. */
function floorsOf(graph: Map<string, Set<string>>): Map<string, number> {
  const floors = new Map<string, number>();
  function floor(room: string, above: readonly string[]): number {
    const way = [...above, room];
    if (above.includes(room)) throw new Error(`a cycle: ${way.join(' → ')}`);
    const known = floors.get(room);
    if (known !== undefined) return known;
    const below = [...(graph.get(room) ?? [])].map((next) => floor(next, way));
    const found = Math.max(0, ...below) + 1;
    floors.set(room, found);
    return found;
  }
  for (const room of graph.keys()) floor(room, []);
  return floors;
}

describe('the rooms of src', () => {
  it('import values of one another without a cycle, on at most ten floors', () => {
    const floors = floorsOf(importedRooms());
    expect(floors.size).toBeGreaterThan(30);
    expect([...floors].filter(([, floor]) => floor > 10)).toEqual([]);
    expect(floors.get('lib')).toBe(1);
  });
});
